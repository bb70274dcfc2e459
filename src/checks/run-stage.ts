/** Runs the checks of one stage in the place as it is, and looks what they did. */
import { join } from "node:path";
import { findOwnGitPrefix } from "../evidence/pure/own-git-prefix.ts";
import type { Observation } from "../base/manifest.ts";
import { decodeChangePath } from "../evidence/change-bytes.ts";
import { isSameIndex } from "../evidence/index-changes.ts";
import { locateHeldOut } from "../journal/held-out-source.ts";
import { checkSideEffects } from "../judge/pure/check-side-effects.ts";
import type { Candidate } from "../place/workplace.ts";
import { watchReads } from "../store/read-watch.ts";
import type { Evidence } from "../records/evidence.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { toBytePath } from "../system/byte-path.ts";
import { copyInto } from "../system/write-files.ts";
import { compareTests } from "./compare-tests.ts";
import { isPinnedInParts, pinManifest } from "./pure/old-manifest.ts";
import { findIgnoredReads, listIgnoredFiles } from "./pure/read-ignored.ts";
import type { StageEnd } from "./pure/stage-ends.ts";
import type { CheckStage } from "./pure/stages.ts";
import { readIfPlain } from "./read-recipes.ts";
import type { CheckRun } from "./run-check.ts";
import { addSetupTime, type ChecksEnd, type Interrupted, runChecks, runSetup } from "./run-checks.ts";

type StageAnswer = ({ readonly kind: "ran" } & StageEnd) | Interrupted;

/** The observation is of what the place holds. */
export async function runStage(run: CheckRun, stage: CheckStage, observation: Observation): Promise<StageAnswer> {
  const { tree } = run.place;
  await writeManifests(tree, stage.manifests);
  const look = watchChange(run, stage, observation);
  const setup = await runSetup(run, stage.checks);
  if (setup.kind !== "ready") return look(setup);
  // The output of the setup is for agents, too, so it does not see these files.
  for (const { path, source } of stage.files) copyInto(tree, path, locateHeldOut(source, run.repository));
  return look(addSetupTime(await runChecks(run, stage), setup.ms));
}

/** The new texts of changed manifests, by path. */
export function readManifests(tree: string, changed: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    changed.filter(isPinnedInParts).flatMap((path) => {
      const text = readIfPlain(join(tree, path));
      return text === null ? [] : [[path, text] as const];
    }),
  );
}

/** The old ones are in the tree now. */
async function writeManifests(tree: string, manifests: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of manifests) {
    const file = join(tree, path);
    const pinned = pinManifest(path, readIfPlain(file), text);
    if (pinned !== null) await writeAtomic(file, pinned);
  }
}

/** Looks from now on what the checks of a change read, and afterwards what they left and which tests ran. */
function watchChange(
  run: CheckRun,
  stage: CheckStage,
  observation: Observation,
): (end: ChecksEnd) => Promise<StageAnswer> {
  if (stage.name !== "change") return (end) => Promise.resolve(end.kind === "ran" ? { ...end, aftermath: null } : end);
  const { evidence, base, mayTestsGo, outlivesRed } = stage;
  const readIgnored = watchIgnoredReads(run, evidence);
  return async (end) => {
    if (end.kind !== "ran") return end;
    if (end.excess !== null || (end.failed !== null && !outlivesRed)) return { ...end, aftermath: null };
    // Before anybody else reads them.
    const read = readIgnored();
    const left = await listSideEffects(run, { evidence, observation });
    const tests =
      mayTestsGo === null ? NO_TESTS : await compareTests({ ...run, runs: end.runs, base, mayGo: mayTestsGo });
    return { ...end, aftermath: { read, left, tests } };
  };
}

const NO_TESTS = { findings: [], notes: [] };

/** The answer says which ignored files of the builder the checks have read by then. */
function watchIgnoredReads({ place, config }: CheckRun, { changes }: Evidence) {
  const policy = config.verification.oracle;
  const files = policy === "off" ? [] : listIgnoredFiles(changes);
  const listStates = watchReads(
    toBytePath(place.tree),
    files.map((change) => decodeChangePath(change)),
  );
  return () => {
    const states = listStates();
    const byPath = new Map(files.map((change) => [change.path, states.get(decodeChangePath(change)) ?? "unknown"]));
    const wasRead = (path: string): boolean | undefined =>
      byPath.get(path) === "unknown" ? undefined : byPath.get(path) === "read";
    return findIgnoredReads(files, wasRead, policy);
  };
}

/** What changed since the candidate was observed, split into findings and tolerated paths. */
export async function listSideEffects(
  { place, change, store, config }: Pick<CheckRun, "place" | "change" | "store" | "config">,
  candidate: Candidate & { readonly isStill?: boolean },
): Promise<ReturnType<typeof checkSideEffects>> {
  const changed = await change.changedSince(candidate);
  if (changed.length === 0) return { findings: [], tolerated: [] };
  const { evidence: now, observation } = await change.collect(candidate.evidence.rules);
  const before = candidate.observation.git;
  const { repository } = place;
  return checkSideEffects({
    changed,
    judged: candidate.evidence,
    now,
    scratchGlobs: config.verification.scratch_globs,
    isStill: candidate.isStill ?? false,
    git: {
      ownPrefix: findOwnGitPrefix(repository),
      isNew: (path) => !before.has(toBytePath(path)),
      isSameIndex: await isSameIndex(repository, store, before, observation.git),
    },
  });
}
