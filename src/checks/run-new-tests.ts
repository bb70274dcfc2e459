/**
 * Runs new tests on the code from before the build. If all of them pass there too, they say nothing about the work. That
 * is a note, and a finding where the task asks for other behaviour and a test of it.
 */
import type { VerificationRun } from "../records/report.ts";
import type { Change } from "../records/evidence.ts";
import type { Finding } from "../records/judgement.ts";
import type { RuleSetting } from "../base/check-rules.ts";
import { asksForProof } from "../judge/pure/asked-work.ts";
import { countNoun } from "../base/count-noun.ts";
import { shortenList } from "../base/quote.ts";
import { decodeChangePath } from "../evidence/change-bytes.ts";
import { compareRun } from "./compare-tests.ts";
import { type ChecksEnd, runAllChecks } from "./run-all-checks.ts";
import { runTrial } from "./run-trial.ts";
import type { VerifyRequest } from "./verify-request.ts";

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
  const { place } = context;
  const kept = await place.remember();
  const tried = place.rewind(kept, [...code, ...pinned.ignored].map(decodeChangePath));
  const repeated = checks.filter(({ once }) => once !== true);
  return runTrial(context, { kept, tried }, () =>
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
