/**
 * The report of a tick, made from what its events recorded and from nothing else.
 *
 * A tick may end anywhere, so nearly everything can be missing, and everything can be long: a builder chooses names,
 * numbers of files and its own words. A report that breaks its schema would block the next tick; so every list and
 * every text is cut here, with its total beside it.
 */
import { CODES } from "../../contract/values/codes.ts";
import type { Finding } from "../../contract/evidence/judgement.ts";
import { type Report, REPORT_LIMITS as LIMITS } from "../../contract/documents/report.ts";
import type { Task } from "../../contract/documents/task.ts";
import { shorten } from "../words/shorten.ts";
import { NOT_KEPT } from "../words/unkept-notes.ts";
import { reportIteration } from "./report-iteration.ts";
import { reportQuestion } from "./report-question.ts";
import { reviewPart } from "./report-review.ts";
import { listHandedOverNotes, reportSessions } from "./report-sessions.ts";
import { reportRetry } from "./retry-at.ts";
import {
  findBase,
  findBuilding,
  findBuilt,
  findFindings,
  findJudgement,
  findRollbackFailure,
  findSettled,
  findTask,
  findVerification,
} from "./tick-facts.ts";
import type { Reportable } from "./tick-state.ts";

/** Where the parts of a tick are published, relative to the repository; null where a part is not kept. */
interface ReportPaths {
  readonly historyDir: string | null;
  readonly diffPatch: string | null;
  readonly verifyLog: string | null;
  readonly reportMd: string | null;
}

interface ReportSource {
  readonly runId: string;
  readonly seriesId: string;
  readonly state: Reportable;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly durationMs: number;
  /** The counters of the milestone after this tick. */
  readonly budgets: Omit<Report["budgets"], "warnings"> & { readonly warnings: readonly string[] };
  readonly paths: ReportPaths;
}

const MESSAGE_CHARS = 2000;
const CAUSE_CHARS = 400;
const GATE_CHARS = 80;
const VIOLATION_SUBJECT_CHARS = 110;
const POINTER_CHARS = 400;

/** How a note begins that names what a failed rollback left different. */
export const NOT_PUT_BACK = "not put back: ";
/** How a note begins that holds the builder's own words. */
export const BUILDER_SAYS = "the builder says: ";

/** Makes the report of a tick that has an outcome. */
export function buildReport(source: ReportSource): Report {
  const { state, paths } = source;
  const task = findTask(state);
  return {
    run_id: source.runId,
    series_id: source.seriesId,
    workflow: state.facts.started.workflow,
    started_at: source.startedAt,
    ended_at: source.endedAt,
    duration_ms: source.durationMs,
    base_commit: findBase(state)?.base_commit ?? null,
    head_commit: headCommit(state),
    task: task === null ? null : taskPart(task),
    ...outcomePart(state),
    ...judgePart(state),
    ...notesPart(source),
    ...changePart(state, paths),
    verification: verificationPart(state, paths),
    review: reviewPart(state),
    budgets: { ...source.budgets, warnings: warningsPart(source.budgets.warnings) },
    ...reportSessions(state),
    question: reportQuestion(state),
    ...reportIteration(state),
    settle: settlePart(state),
    pointers: pointersPart(state, paths),
  };
}

/** Where HEAD is known to be. After a failed rollback nothing about the repository is known. */
function headCommit(state: Reportable): string | null {
  if (findRollbackFailure(state) !== null) return null;
  return findSettled(state)?.commit ?? findBase(state)?.base_commit ?? null;
}

function taskPart(task: Task): Report["task"] {
  return {
    task_id: task.task_id,
    milestone_id: task.milestone_id,
    task_kind: task.task_kind ?? null,
    intent: task.intent ?? null,
  };
}

function outcomePart(state: Reportable): Pick<Report, "verdict" | "code" | "cause" | "message" | "retry_at"> {
  const { code, cause, message } = state.outcome;
  return {
    verdict: CODES[code].verdict,
    code,
    cause: cause === null ? null : shorten(cause, CAUSE_CHARS),
    message: message === null ? null : shorten(message, MESSAGE_CHARS),
    ...reportRetry(state),
  };
}

/** What stands in for a tick that was never judged or never checked. */
const UNJUDGED = {
  code: null,
  findings: [],
  findings_total: 0,
  notes: [],
  touched_paths: [],
  touched_paths_total: 0,
  blast_radius: { files_touched: 0, lines_added: 0, lines_deleted: 0, new_files: 0 },
} as const;
const UNCHECKED = { findings: [], runs: [] } as const;

/** What the gates found, the observation after the checks included. */
function judgePart(state: Reportable): Pick<Report, "scope" | "findings" | "findings_total"> {
  const judged = findJudgement(state) ?? UNJUDGED;
  const verified = findVerification(state) ?? UNCHECKED;
  const found: readonly Finding[] = findFindings(state);
  const total = Math.max(found.length, judged.findings_total + verified.findings.length);
  const paths: readonly string[] = judged.touched_paths;
  return {
    scope: {
      // Said only where a judge said so: what was never judged is not in order.
      ok: judged.code === "SUCCESS" && total === 0,
      violations: found.slice(0, LIMITS.violations).map(violation),
      violations_total: total,
      touched_paths: paths.slice(0, LIMITS.touchedPaths).map((path) => filled(path, LIMITS.pathChars)),
      touched_paths_total: Math.max(paths.length, judged.touched_paths_total),
    },
    findings: found.slice(0, LIMITS.findings).map(cutFinding),
    findings_total: total,
  };
}

/** A finding in one short line; a long name must not push the reason out of it. */
function violation({ subject, rule }: Finding): string {
  return shorten(`${filled(subject, VIOLATION_SUBJECT_CHARS)}: ${rule}`, LIMITS.violationChars);
}

function cutFinding({ gate, code, subject, rule, glob }: Finding): Finding {
  return {
    gate: shorten(gate, GATE_CHARS),
    code,
    subject: shorten(subject, LIMITS.pathChars),
    rule: shorten(rule, LIMITS.noteChars),
    glob: glob === null ? null : shorten(glob, LIMITS.pathChars),
  };
}

/** What is worth telling without being a reason: first what could not be put back or kept, last what nobody vouches for. */
function notesPart({ state, budgets }: ReportSource): Pick<Report, "notes" | "notes_total"> {
  const { notes: seen } = findJudgement(state) ?? UNJUDGED;
  const settled = findSettled(state)?.notes ?? [];
  const notes = [
    ...(findRollbackFailure(state)?.differences ?? []).map((path) => `${NOT_PUT_BACK}${path}`),
    ...settled.filter(isLoss),
    ...listHandedOverNotes(state),
    ...seen,
    ...(findBuilt(state)?.notes ?? []),
    ...settled.filter((note) => !isLoss(note)),
    ...(findBase(state)?.warnings ?? []).filter((warning) => !budgets.warnings.includes(warning)),
    ...wordsOf(state),
  ];
  return {
    notes: notes.slice(0, LIMITS.notes).map((note) => filled(note, LIMITS.noteChars)),
    notes_total: notes.length,
  };
}

function isLoss(note: string): boolean {
  return note.startsWith(NOT_KEPT);
}

/** About a patch nobody says anything but relais itself, and that is the message. */
function wordsOf(state: Reportable): readonly string[] {
  const summary = findBuilding(state)?.driver === "patch" ? "" : (findBuilt(state)?.summary ?? "");
  return summary === "" ? [] : [`${BUILDER_SAYS}${summary}`];
}

function changePart(state: Reportable, paths: ReportPaths): Pick<Report, "blast_radius" | "diff"> {
  const blast_radius: Report["blast_radius"] = (findJudgement(state) ?? UNJUDGED).blast_radius;
  const { files_touched, lines_added, lines_deleted } = blast_radius;
  return {
    blast_radius: { ...blast_radius },
    diff: {
      files_changed: files_touched,
      lines_changed: lines_added + lines_deleted,
      diff_patch_path: pointer(paths.diffPatch),
    },
  };
}

function verificationPart(state: Reportable, paths: ReportPaths): Report["verification"] {
  const { runs } = findVerification(state) ?? UNCHECKED;
  return {
    exec_mode: "argv_no_shell",
    // The last run is the one that failed, if one did, so it is never among those that are cut.
    runs: runs.length > LIMITS.runs ? [...runs.slice(0, LIMITS.runs - 1), ...runs.slice(-1)] : [...runs],
    runs_total: runs.length,
    verify_log_path: pointer(paths.verifyLog),
  };
}

function warningsPart(warnings: readonly string[]): string[] {
  return warnings.slice(0, LIMITS.warnings).map((warning) => filled(warning, LIMITS.warningChars));
}

function settlePart(state: Reportable): Report["settle"] {
  const settled = findSettled(state);
  if (settled === null) return null;
  const { action, commit, branch } = settled;
  return { action, commit, branch };
}

function pointersPart(state: Reportable, paths: ReportPaths): Report["pointers"] {
  const salvage = findSettled(state)?.salvage ?? null;
  return {
    ...(paths.reportMd === null ? {} : { report_md_path: paths.reportMd }),
    ...(paths.historyDir === null ? {} : { history_dir: paths.historyDir }),
    ...(salvage === null ? {} : { salvage }),
  };
}

/** A path that was cut leads nowhere, so one that is too long is left out. */
function pointer(path: string | null): string | null {
  return path === null || path === "" || path.length > POINTER_CHARS ? null : path;
}

/** Text of a list is never empty: an empty line would look like a mistake of the report. */
function filled(text: string, max: number): string {
  return text === "" ? "(empty)" : shorten(text, max);
}
