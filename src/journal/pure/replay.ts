/**
 * Judges a recorded tick again. Judge and report are pure functions, so both must match the records exactly. With the
 * journal the whole report is built again. Without it, only the parts that follow from the judgement are compared.
 */
import type { Code } from "../../base/codes.ts";
import type { Evidence } from "../../records/evidence.ts";
import type { TickEvent } from "../../records/event.ts";
import type { Finding, Judgement } from "../../records/judgement.ts";
import type { Meta } from "../../records/meta.ts";
import { type Report, REPORT_LIMITS } from "../../records/report.ts";
import { HELD } from "../../records/suspicions.ts";
import { isRecord } from "../../base/quantity.ts";
import { judge } from "../../judge/pure/judge.ts";
import { shorten } from "../../base/words.ts";
import { evolve } from "../../tick/pure/evolve.ts";
import { buildReport } from "../../tick/pure/build-report.ts";
import { findReportable } from "../../tick/pure/tick-facts.ts";
import type { TickRecord } from "../../tick/pure/tick-records.ts";
import { START } from "../../tick/pure/tick-state.ts";
import { describePlace } from "../../base/schema-walk.ts";

type Judged = Extract<TickEvent, { type: "judged" }>;

export interface RecordedTick {
  /** Null if the tick ended before it was judged. */
  readonly evidence: Evidence | null;
  readonly report: Report;
  readonly meta: Meta;
  /** Null without a journal. */
  readonly record: TickRecord | null;
}

export interface ReplayDifference extends ValueDifference {
  readonly file: "journal" | "report.json" | "meta.json";
}

/** The judgement of the recorded evidence, and the first difference from the records. */
export function replay(tick: RecordedTick): {
  readonly judgement: Judgement | null;
  readonly difference: ReplayDifference | null;
} {
  const judgement = tick.evidence === null ? null : judge(tick.evidence);
  const difference =
    tick.record === null
      ? compareWithReport(tick.report, judgement)
      : compareWithJournal(tick, tick.record.events, judgement);
  return { judgement, difference: difference ?? compareWithMeta(tick) };
}

function compareWithJournal(
  { report }: RecordedTick,
  events: readonly TickEvent[],
  judgement: Judgement | null,
): ReplayDifference | null {
  const recorded = events.findLast((event) => event.type === "judged") ?? null;
  const derived = recorded === null || judgement === null ? null : rejudge(recorded, judgement);
  return (
    nameFile("journal", findFirstDifference(recorded, derived)) ??
    nameFile("report.json", findFirstDifference(report, rebuildReport(cutAtEnd(events), report)))
  );
}

/** Events after the end of a tick are not in its report. */
function cutAtEnd(events: readonly TickEvent[]): readonly TickEvent[] {
  const end = events.findIndex(({ type }) => type === "tick_ended");
  return end === -1 ? events : events.slice(0, end + 1);
}

/** Keeps how far lists were cut, and what was added to the notes. */
function rejudge(recorded: Judged, { code, cause, blast_radius, findings, notes }: Judgement): Judged {
  return {
    ...recorded,
    code,
    cause,
    blast_radius,
    findings: findings.slice(0, isCut(recorded) ? recorded.findings.length : findings.length),
    findings_total: findings.length,
    notes: [...notes.slice(0, recorded.notes.length), ...recorded.notes.slice(notes.length)],
  };
}

function isCut({ findings, findings_total }: Judged): boolean {
  return findings.length < findings_total;
}

/** Keeps what only a clock or a budget knows. */
function rebuildReport(events: readonly TickEvent[], report: Report): Report | null {
  const state = findReportable(events.reduce(evolve, START));
  if (state === null) return null;
  const { pointers, diff, verification, prompt_bytes } = report;
  const built = buildReport({
    runId: report.run_id,
    seriesId: report.series_id,
    state,
    startedAt: report.started_at,
    endedAt: report.ended_at,
    durationMs: report.duration_ms,
    budgets: report.budgets,
    paths: {
      historyDir: pointers.history_dir ?? null,
      diffPatch: diff.diff_patch_path,
      verifyLog: verification.verify_log_path,
      reportMd: pointers.report_md_path ?? null,
    },
  });
  return prompt_bytes === undefined ? built : { ...built, prompt_bytes };
}

/** How a tick can end after a gate refused it. */
const DESPITE_A_REFUSAL: readonly Code[] = ["BLOCKED_ROLLBACK_FAILED", "STOP_INTERRUPTED", "STOP_TICK_TIMEOUT"];

const OF_A_GATE: readonly Code[] = [
  "STOP_BUILDER_OUTPUT_INVALID",
  "STOP_BUILDER_TIMEOUT",
  "STOP_DIFF_TOO_LARGE",
  "STOP_GIT_METADATA_MUTATION",
  "STOP_HEAD_MOVED",
  "STOP_IGNORED_MUTATION",
  "STOP_LOCKFILE_CHANGE_FORBIDDEN",
  "STOP_NO_CHANGE",
  "STOP_PATCH_APPLY_FAILED",
  "STOP_PATCH_INVALID",
  "STOP_QUESTION_SIDE_EFFECTS",
  "STOP_RUNNER_OWNED_MUTATION",
  "STOP_SCOPE_VIOLATION_FORBIDDEN",
  "STOP_SCOPE_VIOLATION_NEW_FILE",
  "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED",
  "STOP_UNSAFE_PATH",
  "STOP_VERIFY_ONLY_SIDE_EFFECTS",
];

function compareWithReport(report: Report, judgement: Judgement | null): ReplayDifference | null {
  if (judgement === null) return null;
  const findings = judgement.findings.slice(0, REPORT_LIMITS.findings).map(pickFindingPart);
  const recorded = {
    code: report.code,
    blast_radius: report.blast_radius,
    findings: report.findings.slice(0, findings.length).map(pickFindingPart),
  };
  const isPossible = canEndWith(judgement.code, report.code) || (judgement.code === "SUCCESS" && isOfOracle(report));
  const code = isPossible ? report.code : judgement.code;
  const derived = { code, blast_radius: judgement.blast_radius, findings };
  return nameFile("report.json", findFirstDifference(recorded, derived));
}

function canEndWith(judged: Code, ended: Code): boolean {
  if (judged === "SUCCESS") return !OF_A_GATE.includes(ended);
  if (judged === HELD) return ended !== "SUCCESS" && !OF_A_GATE.includes(ended);
  return judged === ended || DESPITE_A_REFUSAL.includes(ended);
}

/** What a check reads is known only after the judgement. */
function isOfOracle({ code, cause }: Report): boolean {
  return code === "STOP_SCOPE_VIOLATION_FORBIDDEN" && cause === "ignored_oracle";
}

function pickFindingPart({ gate, code, subject }: Finding) {
  return { gate, code, subject: shorten(subject, REPORT_LIMITS.pathChars) };
}

function compareWithMeta({ meta, report }: RecordedTick): ReplayDifference | null {
  return nameFile("meta.json", findFirstDifference(pickCommonPart(meta), pickCommonPart(report)));
}

function pickCommonPart({ run_id, series_id, verdict, code }: Meta | Report) {
  return { run_id, series_id, verdict, code };
}

function nameFile(file: ReplayDifference["file"], difference: ValueDifference | null): ReplayDifference | null {
  return difference === null ? null : { file, ...difference };
}

interface ValueDifference {
  /** As in code: `findings[2].subject`; empty for the whole value. */
  readonly place: string;
  readonly recorded: string;
  readonly derived: string;
}

/** In the order of the recorded keys. */
function findFirstDifference(
  recorded: unknown,
  derived: unknown,
  at: readonly (string | number)[] = [],
): ValueDifference | null {
  if (isList(recorded) && isList(derived)) {
    const length = Math.max(recorded.length, derived.length);
    return first(Array(length).keys(), (key) => findFirstDifference(recorded[key], derived[key], [...at, key]));
  }
  if (isRecord(recorded) && isRecord(derived)) {
    const keys = new Set([...Object.keys(recorded), ...Object.keys(derived)]);
    return first(keys, (key) => findFirstDifference(recorded[key], derived[key], [...at, key]));
  }
  if (Object.is(recorded, derived)) return null;
  return { place: describePlace(at), recorded: showValue(recorded), derived: showValue(derived) };
}

function first<T>(items: Iterable<T>, compare: (item: T) => ValueDifference | null): ValueDifference | null {
  for (const item of items) {
    const difference = compare(item);
    if (difference !== null) return difference;
  }
  return null;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

const SHOWN_CHARS = 200;

function showValue(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}
