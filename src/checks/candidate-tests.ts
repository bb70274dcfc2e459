import type { VerificationRun } from "../records/report.ts";
import type { Change } from "../records/evidence.ts";
import type { Finding } from "../records/judgement.ts";
import type { RuleSetting } from "../base/check-rules.ts";
import { asksForProof } from "../judge/pure/asked-work.ts";
import { countNoun, shortenList } from "../base/words.ts";
import { compareRun } from "./compare-tests.ts";
import { type ChecksEnd, runAllChecks } from "./run-all-checks.ts";
import type { VerifyRequest } from "./verify-request.ts";
import { listHeldOutFiles } from "./pure/held-out.ts";
import type { Check } from "./pure/verification-plan.ts";
import { copyInto } from "../system/write-files.ts";
import { locateHeldOut } from "../journal/held-out-source.ts";

/**
 * Runs new tests on the code from before the build. If all of them pass there too, they say nothing about the work. That
 * is a note, and a finding where the task asks for other behaviour and a test of it.
 */

/** Longer checks are not run once more for this. */
const CHECKS_MS_MAX = 60_000;

interface NewTests {
  readonly finding: Finding | null;
  readonly note: string | null;
  /** How long it took. */
  readonly ms: number;
}

type NewTestsEnd = ({ readonly kind: "ran" } & NewTests) | Exclude<ChecksEnd, { kind: "ran" }>;

const NOTHING = { kind: "ran", finding: null, note: null, ms: 0 } as const;

export async function runNewTests(request: VerifyRequest, runs: readonly VerificationRun[]): Promise<NewTestsEnd> {
  const setting = chooseSetting(request, runs);
  const code = listCode(request);
  if (setting === "off" || code.length === 0 || isSlow(runs)) return NOTHING;
  const found = await findNewTests(request, runs);
  if (found.length === 0) return NOTHING;
  const ids = new Set(found.map(({ templateId }) => templateId));
  const checks = request.checks.filter(({ templateId, once }) => once !== true && ids.has(templateId));
  const end = await runOnOldCode({ ...request, checks }, code);
  if (end.kind !== "ran") return end;
  const ms = sumDurations(end.runs);
  if (end.failed !== null || end.excess !== null) return { ...NOTHING, ms };
  const names = found.flatMap((one) => one.names);
  return { kind: "ran", ms, ...describe(names, setting) };
}

/** A check that failed before and passes now proves the work. */
function chooseSetting({ candidate, wantsOtherTests }: VerifyRequest, runs: readonly VerificationRun[]): RuleSetting {
  const { weakening } = candidate.evidence.rules;
  if (weakening === undefined || wantsOtherTests) return "off";
  const isProven = runs.some(({ state }) => state !== "passed");
  const usual = !isProven && asksForProof(weakening.task_text ?? "") ? "stop" : "note";
  return weakening.rules.passes_without_change ?? usual;
}

/** The change without its tests. */
function listCode({ candidate, pinned }: VerifyRequest): readonly Change[] {
  const tests = new Set(pinned.oracle.map(({ path }) => path));
  return candidate.evidence.changes.filter(({ path, standing }) => standing !== "ignored" && !tests.has(path));
}

async function runOnOldCode({ context, pinned, checks }: VerifyRequest, code: readonly Change[]): Promise<ChecksEnd> {
  const repeated = checks.filter(({ once }) => once !== true);
  return context.change.trial({ rewound: [...code, ...pinned.ignored] }, () =>
    runAllChecks({ context, checks: repeated, base: null, inherits: false }),
  );
}

function isSlow(runs: readonly VerificationRun[]): boolean {
  return sumDurations(runs) > CHECKS_MS_MAX;
}

function sumDurations(runs: readonly VerificationRun[]): number {
  return runs.reduce((sum, { duration_ms, setup_ms = 0 }) => sum + duration_ms + setup_ms, 0);
}

interface FoundTests {
  readonly templateId: string;
  readonly names: readonly string[];
}

/** By check, of those that passed before. */
async function findNewTests(
  { context, base }: VerifyRequest,
  runs: readonly VerificationRun[],
): Promise<readonly FoundTests[]> {
  const found: FoundTests[] = [];
  for (const run of runs.filter(({ state }) => state === "passed")) {
    const compared = await compareRun({ stateDirectory: context.stateDirectory, base }, run);
    const names = compared?.newTests ?? [];
    if (names.length > 0) found.push({ templateId: run.template_id, names });
  }
  return found;
}

function describe(names: readonly string[], setting: RuleSetting): Omit<NewTests, "ms"> {
  const rule = `${countNoun(names.length, "new test")} ${names.length === 1 ? "passes" : "pass"} without the change, too: ${shortenList(names)}.`;
  if (setting !== "stop") return { finding: null, note: rule };
  const advice = "Test what the task asks for, or allow the rule `passes_without_change`.";
  const code = "STOP_CHECKS_WEAKENED" as const;
  const finding = {
    gate: "passes-without-change",
    code,
    subject: "the new tests",
    rule: `${rule} ${advice}`,
    glob: null,
  };
  return { finding, note: null };
}

/** Runs the checks that no agent sees, on what would be committed. Their files are in the place only meanwhile. */

type HeldOutEnd =
  (Extract<ChecksEnd, { kind: "ran" }> & { readonly finding: Finding | null }) | Exclude<ChecksEnd, { kind: "ran" }>;

export async function runHeldOut({
  context,
  heldOut,
}: Pick<VerifyRequest, "context" | "heldOut">): Promise<HeldOutEnd> {
  const { place, change, config, repository } = context;
  const files = listHeldOutFiles(config.verification);
  const paths = files.map(({ path }) => path);
  // The output of the setup is for agents, too, so it does not see the files.
  const afterSetup = (): void => {
    for (const { path, source } of files) copyInto(place.tree, path, locateHeldOut(source, repository));
  };
  const act = () => runAllChecks({ context, checks: heldOut.checks, base: null, inherits: false, afterSetup });
  const end = await change.trial({ rewound: heldOut.ignored, heldOut: paths }, act);
  return end.kind === "ran" ? { ...end, finding: end.failed === null ? null : makeFinding(end.failed.check) } : end;
}

function makeFinding({ templateId, stopCode, heldOut }: Check): Finding {
  const where = heldOut?.isShared === false ? " A person reads its output with `relais log`." : "";
  const rule = heldOut === undefined ? "It fails before the held-out checks." : `This held-out check fails.${where}`;
  return { gate: "held-out", code: stopCode, subject: templateId, rule, glob: null };
}
