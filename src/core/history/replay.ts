/**
 * Judges a recorded tick again.
 *
 * The judge is a pure function of the evidence, and so is the report of the events; hence both must come out exactly as
 * they were recorded. With the journal the whole report is made again from the new judgement. Without it, what the
 * report says is compared with the judgement as far as one follows from the other; so it is where the records have an
 * older version: they are judged by the rules of that version, but their sentences may have been worded differently.
 */
import type { Code } from "../../contract/values/codes.ts";
import type { Evidence } from "../../contract/evidence/evidence.ts";
import type { TickEvent } from "../../contract/journal/event.ts";
import type { Finding, Judgement } from "../../contract/evidence/judgement.ts";
import type { Meta } from "../../contract/documents/meta.ts";
import { type Report, REPORT_LIMITS } from "../../contract/documents/report.ts";
import { RECORD_VERSION } from "../../contract/values/record-version.ts";
import { findFirstDifference, type ValueDifference } from "../words/first-difference.ts";
import { judge } from "../judge/judge.ts";
import { shorten } from "../words/shorten.ts";
import { evolve } from "../tick/evolve.ts";
import { buildReport } from "../tick/report.ts";
import { findReportable } from "../tick/tick-facts.ts";
import type { TickRecord } from "../tick/tick-records.ts";
import { START } from "../tick/tick-state.ts";

type Judged = Extract<TickEvent, { type: "judged" }>;

export interface RecordedTick {
  /** Null where the tick ended before anything was judged. */
  readonly evidence: Evidence | null;
  readonly report: Report;
  readonly meta: Meta;
  /** The version of its records. */
  readonly version: number;
  /** What the journal tells of it; null where there is no journal. */
  readonly record: TickRecord | null;
}

export interface ReplayDifference extends ValueDifference {
  readonly file: "journal" | "report.json" | "meta.json";
}

/** The judgement of the recorded evidence, and the first place where the records say something else. */
export function replay(tick: RecordedTick): {
  readonly judgement: Judgement | null;
  readonly difference: ReplayDifference | null;
} {
  const judgement = tick.evidence === null ? null : judge(tick.evidence);
  const difference =
    tick.record === null ? againstReport(tick.report, judgement) : againstJournal(tick, tick.record.events, judgement);
  return { judgement, difference: difference ?? againstMeta(tick) };
}

function againstJournal(
  { report, version }: RecordedTick,
  events: readonly TickEvent[],
  judgement: Judgement | null,
): ReplayDifference | null {
  const recorded = events.find((event) => event.type === "judged") ?? null;
  const derived = recorded === null || judgement === null ? null : judgedAgain(recorded, judgement);
  if (version < RECORD_VERSION)
    return (
      inFile("journal", findFirstDifference(withoutWords(recorded), withoutWords(derived))) ??
      againstReport(report, judgement)
    );
  return (
    inFile("journal", findFirstDifference(recorded, derived)) ??
    inFile("report.json", findFirstDifference(report, reportAgain(untilItsEnd(events), report)))
  );
}

/** What decides, without the sentences for people. */
function withoutWords(judged: Judged | null) {
  if (judged === null) return null;
  const { notes: _, findings, ...rest } = judged;
  return { ...rest, findings: findings.map(({ rule: _words, ...finding }) => finding) };
}

/** What came after the end of a tick, a recovery or a person's decision, is not in its report. */
function untilItsEnd(events: readonly TickEvent[]): readonly TickEvent[] {
  const end = events.findIndex(({ type }) => type === "tick_ended");
  return end === -1 ? events : events.slice(0, end + 1);
}

/** The event that this judgement gives. How far lists were cut, and what was added to the notes, is taken over. */
function judgedAgain(recorded: Judged, { code, cause, blast_radius, findings, notes }: Judgement): Judged {
  return {
    ...recorded,
    code,
    cause,
    blast_radius: asRecorded(blast_radius, recorded.blast_radius),
    findings: findings.slice(0, isCut(recorded) ? recorded.findings.length : findings.length),
    findings_total: findings.length,
    notes: [...notes.slice(0, recorded.notes.length), ...recorded.notes.slice(notes.length)],
  };
}

/** Records that are older than the largest file do not name it. */
function asRecorded(derived: Judged["blast_radius"], recorded: Judged["blast_radius"]): Judged["blast_radius"] {
  if (recorded.largest !== undefined) return derived;
  const { largest: _, ...rest } = derived;
  return rest;
}

function isCut({ findings, findings_total }: Judged): boolean {
  return findings.length < findings_total;
}

/** The report that the events give; what only a clock or a budget knows is taken over. */
function reportAgain(events: readonly TickEvent[], report: Report): Report | null {
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

/** How a tick can end although a gate has refused it. */
const DESPITE_A_REFUSAL: readonly Code[] = ["BLOCKED_ROLLBACK_FAILED", "STOP_INTERRUPTED", "STOP_TICK_TIMEOUT"];

/** What only a gate can say. */
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

function againstReport(report: Report, judgement: Judgement | null): ReplayDifference | null {
  if (judgement === null) return null;
  const findings = judgement.findings.slice(0, REPORT_LIMITS.findings).map(findingPart);
  const recorded = {
    code: report.code,
    blast_radius: report.blast_radius,
    findings: report.findings.slice(0, findings.length).map(findingPart),
  };
  const code = canEndWith(judgement.code, report.code) ? report.code : judgement.code;
  const blast_radius = asRecorded(judgement.blast_radius, report.blast_radius);
  const derived = { code, blast_radius, findings };
  return inFile("report.json", findFirstDifference(recorded, derived));
}

function canEndWith(judged: Code, ended: Code): boolean {
  if (judged === "SUCCESS") return !OF_A_GATE.includes(ended);
  return judged === ended || DESPITE_A_REFUSAL.includes(ended);
}

/** What a report repeats of a finding, as short as it repeats it. */
function findingPart({ gate, code, subject }: Finding) {
  return { gate, code, subject: shorten(subject, REPORT_LIMITS.pathChars) };
}

function againstMeta({ meta, report }: RecordedTick): ReplayDifference | null {
  return inFile("meta.json", findFirstDifference(commonPart(meta), commonPart(report)));
}

function commonPart({ run_id, series_id, verdict, code }: Meta | Report) {
  return { run_id, series_id, verdict, code };
}

function inFile(file: ReplayDifference["file"], difference: ValueDifference | null): ReplayDifference | null {
  return difference === null ? null : { file, ...difference };
}
