/**
 * The report of a tick, made from its events only. A tick may end anywhere, so nearly everything can be missing, and a
 * builder chooses names, numbers of files and its own words. A report that breaks its schema would block the next tick;
 * so every list and text is cut here, with its total beside it.
 */
import { CODES } from "../../base/codes.ts";
import type { Finding } from "../../records/judgement.ts";
import { type Report, REPORT_LIMITS as LIMITS } from "../../records/report.ts";
import type { Task } from "../../records/task.ts";
import { BUILDER_SAYS, NOT_PUT_BACK } from "./note-beginnings.ts";
import { shorten } from "../../base/words.ts";
import { NOT_KEPT } from "../../evidence/pure/unkept-notes.ts";
import {
  reportRetry,
  reportQuestion,
  reportIteration,
  reportReview,
  listHandedOverNotes,
  reportSessions,
} from "./report-parts.ts";
import {
  findBase,
  findBaselineRuns,
  findLeftOut,
  findBuilding,
  findBuilt,
  findFindings,
  findJudgement,
  findRollbackFailure,
  findSettled,
  findTask,
  findVerification,
} from "./tick-facts.ts";
import type { EventOf, Reportable } from "./tick-state.ts";

/** Relative to the repository; null if a part is not kept. */
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
  readonly budgets: Omit<Report["budgets"], "warnings"> & { readonly warnings: readonly string[] };
  readonly paths: ReportPaths;
}

const MESSAGE_CHARS = 2000;
const CAUSE_CHARS = 400;
const GATE_CHARS = 80;
const VIOLATION_SUBJECT_CHARS = 110;
const POINTER_CHARS = 400;

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
    head_commit: findHeadCommit(state),
    task: task === null ? null : reportTask(task),
    ...reportBeginning(state.facts.started),
    ...reportOutcome(state),
    ...reportJudgement(state),
    ...reportNotes(source),
    ...reportChange(state, paths),
    verification: reportVerification(state, paths),
    review: reportReview(state),
    budgets: { ...source.budgets, warnings: cutTexts(source.budgets.warnings, LIMITS.warnings, LIMITS.warningChars) },
    ...reportSessions(state),
    question: reportQuestion(state),
    ...reportIteration(state),
    settle: reportSettlement(state),
    ...reportCommandLine(state),
    pointers: reportPointers(state, paths),
  };
}

function reportBeginning({ repair, uncommitted }: EventOf<"tick_started">): Pick<Report, "repair" | "uncommitted"> {
  return {
    ...(repair === undefined ? {} : { repair }),
    ...(uncommitted === undefined ? {} : { uncommitted }),
  };
}

/** After a failed rollback nothing about the repository is known. */
function findHeadCommit(state: Reportable): string | null {
  if (findRollbackFailure(state) !== null) return null;
  return findSettled(state)?.commit ?? findBase(state)?.base_commit ?? null;
}

function reportTask(task: Task): Report["task"] {
  return {
    task_id: task.task_id,
    milestone_id: task.milestone_id,
    task_kind: task.task_kind ?? null,
    intent: task.intent ?? null,
  };
}

type ReportedOutcome = Pick<Report, "verdict" | "code" | "cause" | "message" | "retry_at" | "go_on">;

function reportOutcome(state: Reportable): ReportedOutcome {
  const { code, cause, message, goOn } = state.outcome;
  return {
    verdict: CODES[code].verdict,
    code,
    cause: cause === null ? null : shorten(cause, CAUSE_CHARS),
    message: message === null ? null : shorten(message, MESSAGE_CHARS),
    ...reportRetry(state),
    ...(goOn === undefined ? {} : { go_on: goOn }),
  };
}

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

/** Includes the observation after the checks. */
function reportJudgement(state: Reportable): Pick<Report, "scope" | "findings" | "findings_total"> {
  const judged = findJudgement(state) ?? UNJUDGED;
  const verified = findVerification(state) ?? UNCHECKED;
  const found: readonly Finding[] = findFindings(state);
  const total = Math.max(found.length, judged.findings_total + verified.findings.length);
  const paths: readonly string[] = judged.touched_paths;
  return {
    scope: {
      // A change that was never judged is not in order.
      ok: judged.code === "SUCCESS" && total === 0,
      violations: found.slice(0, LIMITS.violations).map(writeViolation),
      violations_total: total,
      touched_paths: cutTexts(paths, LIMITS.touchedPaths, LIMITS.pathChars),
      touched_paths_total: Math.max(paths.length, judged.touched_paths_total),
    },
    findings: found.slice(0, LIMITS.findings).map(cutFinding),
    findings_total: total,
  };
}

/** A long name must not push the reason out of the line. */
function writeViolation({ subject, rule }: Finding): string {
  return shorten(`${fillEmpty(subject, VIOLATION_SUBJECT_CHARS)}: ${rule}`, LIMITS.violationChars);
}

function cutFinding({ gate, code, subject, rule, glob, quote }: Finding): Finding {
  return {
    gate: shorten(gate, GATE_CHARS),
    code,
    subject: shorten(subject, LIMITS.pathChars),
    rule: shorten(rule, LIMITS.noteChars),
    glob: glob === null ? null : shorten(glob, LIMITS.pathChars),
    ...(quote === undefined ? {} : { quote: shorten(quote, LIMITS.quoteChars) }),
  };
}

const isUnkeptNote = (note: string): boolean => note.startsWith(NOT_KEPT);

/** Losses first, the builder's own words last. */
function reportNotes({ state, budgets }: ReportSource): Pick<Report, "notes" | "notes_total"> {
  const settled = findSettled(state)?.notes ?? [];
  const notes = [
    ...(findRollbackFailure(state)?.differences ?? []).map((path) => `${NOT_PUT_BACK}${path}`),
    ...settled.filter(isUnkeptNote),
    ...listHandedOverNotes(state),
    ...listSeenNotes(state),
    ...(findBuilt(state)?.notes ?? []),
    ...settled.filter((note) => !isUnkeptNote(note)),
    ...(findBase(state)?.warnings ?? []).filter((warning) => !budgets.warnings.includes(warning)),
    ...quoteBuilder(state),
  ];
  return { notes: cutTexts(notes, LIMITS.notes, LIMITS.noteChars), notes_total: notes.length };
}

function listSeenNotes(state: Reportable): readonly string[] {
  const { notes } = findJudgement(state) ?? UNJUDGED;
  return [...notes, ...(findVerification(state)?.notes ?? [])];
}

/** For a patch, a failed session and one without a change, the message already says it. */
function quoteBuilder(state: Reportable): readonly string[] {
  const summary = findBuilding(state)?.driver === "patch" ? "" : (findBuilt(state)?.summary ?? "");
  return summary === "" || summary === state.outcome.message ? [] : [`${BUILDER_SAYS}${summary}`];
}

function reportChange(state: Reportable, paths: ReportPaths): Pick<Report, "blast_radius" | "diff"> {
  const blast_radius: Report["blast_radius"] = (findJudgement(state) ?? UNJUDGED).blast_radius;
  const { files_touched, lines_added, lines_deleted } = blast_radius;
  return {
    blast_radius: { ...blast_radius },
    diff: {
      files_changed: files_touched,
      lines_changed: lines_added + lines_deleted,
      diff_patch_path: keepShortPath(paths.diffPatch),
    },
  };
}

function reportVerification(state: Reportable, paths: ReportPaths): Report["verification"] {
  const { runs } = findVerification(state) ?? UNCHECKED;
  return {
    exec_mode: "argv_no_shell",
    // A failed run is the last one, so the last one is never cut.
    runs: runs.length > LIMITS.runs ? [...runs.slice(0, LIMITS.runs - 1), ...runs.slice(-1)] : [...runs],
    runs_total: runs.length,
    ...reportBaseline(state),
    ...reportLeftOut(state),
    verify_log_path: keepShortPath(paths.verifyLog),
  };
}

function reportBaseline(state: Reportable): Pick<Report["verification"], "baseline"> {
  const runs = findBaselineRuns(state);
  return runs.length === 0 ? {} : { baseline: runs.slice(0, LIMITS.runs) };
}

function reportLeftOut(state: Reportable): Pick<Report["verification"], "left_out"> {
  const ids = findLeftOut(state);
  return ids.length === 0 ? {} : { left_out: [...ids] };
}

function reportSettlement(state: Reportable): Report["settle"] {
  const settled = findSettled(state);
  return settled && { action: settled.action, commit: settled.commit, branch: settled.branch };
}

function reportCommandLine({ facts: { started } }: Reportable): Pick<Report, "command_line"> {
  const { command_line: line } = started;
  return line === undefined ? {} : { command_line: [...line] };
}

function reportPointers(state: Reportable, paths: ReportPaths): Report["pointers"] {
  const salvage = findSettled(state)?.salvage ?? null;
  return {
    ...(paths.reportMd === null ? {} : { report_md_path: paths.reportMd }),
    ...(paths.historyDir === null ? {} : { history_dir: paths.historyDir }),
    ...(salvage === null ? {} : { salvage }),
  };
}

/** A cut path would lead nowhere. */
function keepShortPath(path: string | null): string | null {
  return path === null || path === "" || path.length > POINTER_CHARS ? null : path;
}

function cutTexts(texts: readonly string[], max: number, maxChars: number): string[] {
  return texts.slice(0, max).map((text) => fillEmpty(text, maxChars));
}

/** An empty line would look like a mistake of the report. */
function fillEmpty(text: string, max: number): string {
  return text === "" ? "(empty)" : shorten(text, max);
}
