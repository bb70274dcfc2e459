import type { VerificationRun } from "../../records/report.ts";
import type { JournalLine, TickEvent } from "../../records/event.ts";

/** What a check says about the work, in the light of the same check before it. */

export type CheckState = NonNullable<VerificationRun["state"]>;

/** The same check before the build; null where it is not known. */
export function findBaseRun(
  runs: readonly VerificationRun[] | null,
  { template_id: id, args }: Pick<VerificationRun, "template_id" | "args">,
): VerificationRun | null {
  const isSame = (run: VerificationRun): boolean =>
    run.template_id === id && JSON.stringify(run.args) === JSON.stringify(args);
  return runs?.find(isSame) ?? null;
}

export function hasPassed({ exit_code: status }: Pick<VerificationRun, "exit_code">): boolean {
  return status === 0;
}

/** Null where nobody knows how it was before. */
export function classifyRun(run: VerificationRun, base: VerificationRun | null): CheckState | null {
  if (base === null) return null;
  if (hasPassed(run)) return hasPassed(base) ? "passed" : "mended";
  return hasPassed(base) ? "broken" : "red_before";
}

/** All wanted runs; null unless every one is known. */
export function findKnownBase(
  lines: readonly JournalLine[],
  commit: string /** The hash of everything about the checks that is configured. */,
  checksSha256: string /** The checks that are asked for. */,
  wanted: readonly Pick<VerificationRun, "template_id" | "args">[],
): readonly VerificationRun[] | null {
  const known = [...listMeasured(lines, commit, checksSha256), ...listCommitted(lines, commit, checksSha256)];
  const runs = wanted.flatMap((check) => findBaseRun(known, check) ?? []);
  return runs.length === wanted.length ? runs : null;
}

type EventOf<T extends TickEvent["type"]> = Extract<TickEvent, { type: T }>;

function listMeasured(lines: readonly JournalLine[], commit: string, sha256: string): readonly VerificationRun[] {
  return lines
    .flatMap(({ event }) => (event.type === "baselined" ? [event] : []))
    .filter((event) => event.commit === commit && event.checks_sha256 === sha256)
    .flatMap(({ runs }) => runs);
}

/** The checks of the tick that made the commit ran on the same files. */
function listCommitted(lines: readonly JournalLine[], commit: string, sha256: string): readonly VerificationRun[] {
  const settled = lines.findLast(({ event }) => event.type === "settled" && event.commit === commit);
  if (settled === undefined) return [];
  const own = lines.filter(({ run_id: runId }) => runId === settled.run_id).map(({ event }) => event);
  const isSame = own.some((event) => event.type === "baselined" && event.checks_sha256 === sha256);
  const verified = own.findLast((event): event is EventOf<"verified"> => event.type === "verified");
  if (!isSame || verified?.code !== null) return [];
  return verified.runs.filter(({ oracle }) => oracle === undefined).toReversed();
}

/** How long the checks took when they last ran; null where they never did. */
export function findLastDuration(
  lines: readonly JournalLine[],
  wanted: readonly Pick<VerificationRun, "template_id" | "args">[],
): number | null {
  const runs = lines.flatMap(({ event }) =>
    event.type === "baselined" || event.type === "verified" ? event.runs : [],
  );
  const last = wanted.map((check) => findBaseRun(runs.toReversed(), check)?.duration_ms ?? null);
  return last.includes(null) ? null : last.reduce<number>((sum, ms) => sum + (ms ?? 0), 0);
}
