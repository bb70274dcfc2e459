/**
 * Runs new tests on the code from before the build. If all of them pass there too, they say nothing about the work. It
 * is a finding only where the task asks for other behaviour: tests of what was there before are good tests.
 */
import type { VerificationRun } from "../../contract/documents/report.ts";
import type { Change } from "../../contract/evidence/evidence.ts";
import type { Finding } from "../../contract/evidence/judgement.ts";
import type { RuleSetting } from "../../contract/values/check-rules.ts";
import { asksForBehaviour } from "../../core/weakening/asked-work.ts";
import { countNoun } from "../../core/words/count-noun.ts";
import { shortenList } from "../../core/words/quote.ts";
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
}

type NewTestsEnd = ({ readonly kind: "ran" } & NewTests) | Exclude<ChecksEnd, { kind: "ran" }>;

const NOTHING = { kind: "ran", finding: null, note: null } as const;

export async function runNewTests(request: VerifyRequest, runs: readonly VerificationRun[]): Promise<NewTestsEnd> {
  const setting = chooseSetting(request);
  if (setting === "off") return NOTHING;
  const names = await listNewTests(request, runs);
  const code = listCode(request);
  if (code.length === 0 || names.length === 0) return NOTHING;
  const end = await runOnOldCode(request, code);
  if (end.kind !== "ran") return end;
  if (end.failed !== null || end.excess !== null) return NOTHING;
  return { kind: "ran", ...describe(names, setting) };
}

function chooseSetting({ candidate, wantsOtherTests }: VerifyRequest): RuleSetting {
  const { weakening } = candidate.evidence.rules;
  if (weakening === undefined || wantsOtherTests) return "off";
  const usual = asksForBehaviour(weakening.task_text ?? "") ? "stop" : "note";
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

/** None where the checks are slow, or where one of them proves the work already. */
async function listNewTests(
  { context, base }: VerifyRequest,
  runs: readonly VerificationRun[],
): Promise<readonly string[]> {
  const totalMs = runs.reduce((sum, { duration_ms, setup_ms = 0 }) => sum + duration_ms + setup_ms, 0);
  if (totalMs > CHECKS_MS_MAX || runs.some(({ state }) => state !== "passed")) return [];
  const compared = await Promise.all(
    runs.map((run) => compareRun({ stateDirectory: context.stateDirectory, base }, run)),
  );
  return compared.flatMap((one) => one?.newTests ?? []);
}

function describe(names: readonly string[], setting: RuleSetting): NewTests {
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
