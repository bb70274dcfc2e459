/**
 * Writes the report, for people and for the next tick.
 *
 * Everything here comes from the journal and can be made again from it. The verdict is recorded already; what cannot be
 * written is only a problem to report.
 */
import { join } from "node:path";
import { CODES } from "../base/codes.ts";
import type { Blocked } from "../records/blocked.ts";
import type { TickEvent } from "../records/event.ts";
import { describeError, InvariantError } from "../base/errors.ts";
import type { Config } from "../config/config.ts";
import type { WorkspaceState } from "../records/state.ts";
import type { Report } from "../records/report.ts";
import type { Task } from "../records/task.ts";
import { listBudgetWarnings } from "./pure/budget.ts";
import { endTick } from "./pure/find-next.ts";
import { buildReport } from "./pure/build-report.ts";
import { findOutcome, findReportable, findTask } from "./pure/tick-facts.ts";
import type { ReportableRecord } from "../journal/pure/tick-meta.ts";
import type { StateIn } from "./pure/tick-state.ts";
import { findTickRecord, type TickRecord } from "./pure/tick-records.ts";
import { WorkspaceFold } from "../journal/pure/workspace-state.ts";
import type { Journal } from "../journal/journal.ts";
import { readClockMs } from "../system/clock.ts";
import { isFile } from "../system/read-files.ts";
import { setFolderAside } from "../system/remove-own.ts";
import { completeForPerson } from "../workspace/held-out-lines.ts";
import { dropRecord } from "./kept-session.ts";
import { isRepairable } from "./pure/repair.ts";
import { growHistory } from "../workspace/history.ts";
import { publishHistory, publishProjections, publishLines } from "../workspace/publish.ts";
import type { OpenTick } from "./running-tick.ts";

export async function performReport(session: OpenTick, state: StateIn<"report">): Promise<TickEvent> {
  const record = { ...requireRecord(session), state };
  if (!isRepairable(findOutcome(state)?.code ?? "SUCCESS")) dropRecord(session.where.runDirectory);
  const report = makeReport(session, record);
  // Shown even if nothing can be written, as on a full disk.
  session.left.report = completeForPerson(report, session.where.runDirectory);
  try {
    return await publishReport(session, record, report);
  } catch (error) {
    session.left.problems = [...session.left.problems, `The report could not be written: ${describeError(error)}`];
    return { type: "reported", report_sha256: null };
  }
}

async function publishReport(session: OpenTick, record: ReportableRecord, report: Report): Promise<TickEvent> {
  const {
    tick: { config, runId },
    where: { repository, stateDirectory },
  } = session;
  const place = { history: join(repository.root, config.history.dir), stateDirectory };
  const publish = () =>
    publishHistory({
      root: repository.root,
      runDirectory: session.where.runDirectory,
      settings: config.history,
      record,
      extras: { drivers: {}, promptSha256: {} },
      report,
      reportMarkdown: renderMarkdown(session, report),
    });
  const history = await growHistory(place, runId, publish);
  const published = await publishDocuments(session, report, findTask(record.state));
  session.left.problems = [...session.left.problems, ...history.problems, ...published.problems];
  return { type: "reported", report_sha256: published.reportSha256, history_files: [...history.files] };
}

/**
 * Writes the documents of a finished tick again, if they were removed or damaged; answers with problems.
 *
 * A folder in the place of a document is moved to the state directory.
 */
export async function publishAgain(session: OpenTick, record: TickRecord): Promise<readonly string[]> {
  const {
    tick: { runId },
    where: { workspace, stateDirectory },
  } = session;
  for (const name of ["REPORT.json", "REPORT.md", "TASK.json", "BLOCKED.json", "STATE.json", "ledger.jsonl"])
    setFolderAside(join(workspace, name), join(stateDirectory, "aside", `${runId}-${readClockMs()}`, name));
  const state = findReportable(record.state);
  if (state === null) {
    await publishEnd(session);
    return session.left.problems;
  }
  const report = makeReport(session, { ...record, state });
  return (await publishDocuments(session, report, findTask(record.state))).problems;
}

function renderMarkdown({ tick: { config }, record: { renderReport } }: OpenTick, report: Report): string | null {
  const { enabled, max_chars: maxChars } = config.runner.render_report_md;
  return enabled ? renderReport(report, { maxChars }) : null;
}

function publishDocuments(session: OpenTick, report: Report, task: Task | null) {
  const {
    tick: { config },
    where: { repository, workspace },
    record: { journal },
  } = session;
  return publishProjections({
    root: repository.root,
    workspace,
    journal,
    limits: config.budgets,
    report,
    reportMarkdown: renderMarkdown(session, report),
    task,
    blocked: describeBlock(report),
  });
}

/** Brings STATE.json and the ledger up to the last line of the journal. */
export async function publishEnd(session: OpenTick): Promise<void> {
  session.left.problems = [
    ...session.left.problems,
    ...(await publishLines({ ...session.where, ...session.tick, ...session.record })),
  ];
}

function requireRecord({ tick: { runId }, record: { journal } }: OpenTick): TickRecord {
  const record = findTickRecord(journal.linesOf(runId), runId);
  if (record === null) throw new InvariantError("a tick that is not in its own journal is reported");
  return record;
}

function makeReport(session: OpenTick, record: ReportableRecord): Report {
  const {
    tick: { config, runId, seriesId },
    where: { runDirectory },
    record: { journal },
  } = session;
  const now = record.endedAt === null ? readClockMs() : Date.parse(record.endedAt);
  const state = foldStateAtEnd(journal, record, config.budgets);
  const historyDir = config.history.enabled ? `${config.history.dir}/${runId}` : null;
  const kept = (name: string, isWanted: boolean): string | null =>
    historyDir !== null && isWanted && isFile(join(runDirectory, name)) ? `${historyDir}/${name}` : null;
  return buildReport({
    runId,
    seriesId,
    state: record.state,
    startedAt: record.startedAt,
    endedAt: new Date(now).toISOString(),
    durationMs: Math.max(0, now - Date.parse(record.startedAt)),
    budgets: {
      ...state.budgets,
      milestone_id: state.milestone_id,
      warnings: listBudgetWarnings(state, config.budgets),
    },
    paths: {
      historyDir,
      diffPatch: kept("diff.patch", config.history.include_diff_patch),
      verifyLog: kept("verify.log", config.history.include_verify_log),
      reportMd: config.runner.render_report_md.enabled ? `${config.workspace_dir}/REPORT.md` : null,
    },
  });
}

/** As after the last line of this tick, which gives back the counts of an uncounted tick. */
function foldStateAtEnd(
  journal: Journal,
  { runId: run_id, seriesId: series_id, endedAt, state }: ReportableRecord,
  limits: Config["budgets"],
): WorkspaceState {
  const event = endTick(state.outcome);
  const last = journal.linesOf(run_id).at(-1);
  const fold = journal.fold(WorkspaceFold);
  // A copy of the fold is slow, so only where it makes a difference.
  return event.counted || last === undefined || endedAt !== null
    ? fold.state(limits)
    : fold.foresee({ ...last, run_id, series_id, event }, limits);
}

function describeBlock({ run_id, code, cause, message, ended_at }: Report): Blocked | null {
  const { verdict, meaning, remedy } = CODES[code];
  if (verdict !== "blocked" || !isBlocked(code)) return null;
  return { code, cause, message: message ?? meaning, remedy, run_id, at: ended_at };
}

function isBlocked(code: Report["code"]): code is Blocked["code"] {
  return CODES[code].verdict === "blocked";
}
