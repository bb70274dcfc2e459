/**
 * Verifies the change that was judged, stage by stage.
 *
 * The runner starts the checks itself; only their exit status counts. When all pass, the tree is observed again: a check
 * that changed what it was to verify has verified something else. Where the change installs dependencies, they are made
 * anew first, from their lockfiles.
 */
import { join } from "node:path";
import type { Observation } from "../base/manifest.ts";
import type { VerificationRun } from "../records/report.ts";
import { isFolder } from "../system/read-files.ts";
import type { Candidate, Trial } from "../place/workplace.ts";
import { compareRun } from "./compare-tests.ts";
import { type InstallCommand, listInstallCommands } from "./pure/config-text.ts";
import { addStage, findDue, PASSED, type Verified } from "./pure/stage-ends.ts";
import type { NewTestsStage, VerifyStage, VerifyStages } from "./pure/stages.ts";
import type { Check } from "./pure/verification-plan.ts";
import { type CheckRun, describeRun, findFailure, missesNetwork, runCheck } from "./run-check.ts";
import { addSetupTime, type Interrupted } from "./run-checks.ts";
import { readManifests, runStage } from "./run-stage.ts";

/** An interruption takes nothing back that was found before it. */
export async function verifyChange(
  run: CheckRun,
  { evidence, observation: kept }: Candidate,
  stages: VerifyStages,
): Promise<Verified | Interrupted> {
  const [{ checks, base }] = stages;
  const commands = checks.length === 0 ? [] : listInstallCommands(evidence);
  try {
    const { start, failed, ms, notes } = await installAnew(run, commands, kept);
    if (failed !== null) return { ...PASSED, code: INSTALL.stopCode, cause: "install_failed", runs: [failed] };
    let found = PASSED;
    for (const planned of stages) {
      const stage = await chooseStage(run, planned, found, base);
      if (stage === null) continue;
      const end = stage.isTrial
        ? await run.change.trial(describeTrial(stage, start), (tried) => runStage(run, stage, tried))
        : await runStage(run, stage, start);
      if (end.kind === "ran") found = addStage(found, stage, end);
      else if (found.code === null) return end;
    }
    if (commands.length === 0) return found;
    return { ...addSetupTime(found, ms), tolerated: [], notes: [...found.notes, ...notes] };
  } finally {
    if (commands.length > 0) await run.change.bringBack(kept);
  }
}

/** The stage as it is due; null where it has nothing to ask. */
async function chooseStage(
  run: CheckRun,
  planned: VerifyStage,
  found: Verified,
  base: VerifyStages[0]["base"],
): Promise<VerifyStage | null> {
  const stage = findDue(planned, found);
  if (stage?.name === "new_tests") return findNewTests(run, stage, base, found.runs);
  return stage?.name === "old_tests" ? { ...stage, manifests: readManifests(run.place.tree, stage.changed) } : stage;
}

function describeTrial(stage: VerifyStage, start: Observation): Trial {
  const { holdsJudged, hidden, files } = stage;
  return {
    ...(stage.name === "committed" ? { instead: stage.instead } : {}),
    ...(holdsJudged ? { kept: start } : {}),
    ...(hidden.length === 0 ? {} : { rewound: hidden }),
    heldOut: files.map(({ path }) => path),
  };
}

/** Of checks that passed before and pass now, those with new tests; null where there are none. */
async function findNewTests(
  { stateDirectory }: CheckRun,
  stage: NewTestsStage,
  base: NewTestsStage["base"],
  runs: readonly VerificationRun[],
): Promise<NewTestsStage | null> {
  const found = new Map<string, readonly string[]>();
  for (const run of runs.filter(({ oracle, state }) => oracle === undefined && state === "passed")) {
    const { newTests = [] } = (await compareRun({ stateDirectory, base }, run)) ?? {};
    if (newTests.length > 0) found.set(run.template_id, newTests);
  }
  const checks = stage.checks.filter(({ templateId }) => found.has(templateId));
  return found.size === 0 ? null : { ...stage, checks, tests: [...found.values()].flat() };
}

const INSTALL = { templateId: "install", phase: "fast", stopCode: "STOP_VERIFY_FAILED_FAST" } as const;

interface Installed {
  /** What the place holds now. */
  readonly start: Observation;
  readonly ms: number;
  /** The lockfile is not one that can be installed. */
  readonly failed: VerificationRun | null;
  /** The network or the program is missing, so nothing is known. */
  readonly notes: readonly string[];
}

/** Makes dependencies anew in the place, from their lockfiles, with the network. A folder that is not there is not made. */
async function installAnew(run: CheckRun, commands: readonly InstallCommand[], kept: Observation): Promise<Installed> {
  const asBuilt = { start: kept, ms: 0, failed: null, notes: [] };
  let ms = 0;
  for (const { cmd, args, makes } of commands) {
    if (!isFolder(join(run.place.tree, makes))) continue;
    const timeoutSeconds = run.config.verification.timeout_slow_seconds;
    const check: Check = { ...INSTALL, cmd, args, network: true, timeoutSeconds };
    const { end } = await runCheck(run, check);
    ms += Math.round(end.durationMs);
    const failure = findFailure(end);
    if (failure === null) continue;
    if (end.kind === "exited" && !missesNetwork(end)) return { ...asBuilt, failed: describeRun(check, end, false) };
    const why = missesNetwork(end) ? "there is no network" : failure;
    const note = `The checks ran with the dependencies of the builder: \`${[cmd, ...args].join(" ")}\` could not run (${why}).`;
    await run.change.bringBack(kept);
    return { ...asBuilt, notes: [note] };
  }
  return commands.length === 0 ? asBuilt : { ...asBuilt, start: await run.change.observe(), ms };
}
