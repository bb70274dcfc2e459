import { CODES } from "../base/codes.ts";
import { describeCause } from "../tick/pure/cause-words.ts";
import type { Status } from "../records/status-answers.ts";
import { mayHaveQueue } from "../history/may-have-queue.ts";
import { recallStatus } from "../history/recall-status.ts";
import { renderStatus } from "../cards/status-text.ts";
import { refuseMisuse, type RunCommand } from "../terminal/command.ts";
import type { StatusOptions } from "./status-spec.ts";
import { makeDocument, printAnswer } from "../terminal/print-answer.ts";
import { printFailure } from "../terminal/refusal-answer.ts";

/** `relais status`, and `relais` alone. */
export const runStatus: RunCommand<StatusOptions> = async ({ options }, session) => {
  if (options.flag("watch")) {
    const { watchStatus } = await import("./status-watch.ts");
    const refusal = await watchStatus(
      { withPreflight: options.flag("preflight"), role: options.choice("role") },
      session,
    );
    if (refusal !== null) return refusal;
  }
  if (!options.flag("watch") && options.choice("role") !== null) return refuseMisuse("--role goes with --watch");
  const request = { ...session, withPreflight: options.flag("preflight") };
  const { environment } = session;
  const show = async (status: Status): Promise<Answer> => {
    // The queue is large, and most people have none.
    const running = mayHaveQueue(environment)
      ? await (await import("./running-jobs.ts")).findRunningJobs(environment)
      : null;
    const text = renderStatus(status, session, running?.facts);
    return {
      document: { ...makeStatusDocument(status), queue: running?.document ?? null },
      text: () => text,
      status: pickExitStatus(status),
      isAsked: true,
    };
  };
  const remembered = await showRemembered(request, show);
  if (remembered !== null) return printAnswer(remembered, session);
  const status = await (await import("../history/read-status.ts")).readStatus(request);
  return status.kind === "status" ? printAnswer(await show(status), session) : printFailure(status, session);
};

type Answer = Parameters<typeof printAnswer>[0];

/** Null where nothing is remembered, or nothing that can be shown: somebody else may have written it. */
async function showRemembered(
  request: Parameters<typeof recallStatus>[0],
  show: (status: Status) => Promise<Answer>,
): Promise<Answer | null> {
  const status = await recallStatus(request);
  try {
    return status === null ? null : await show(status);
  } catch {
    return null;
  }
}

function pickExitStatus({ preflight, config }: Status): number {
  if (preflight?.kind === "blocked") return CODES[preflight.code].exit;
  return config.kind === "unusable" ? CODES.BLOCKED_MISSING_CONFIG.exit : 0;
}

function makeStatusDocument(status: Status): object {
  const { config, running, unfinished, accepted, preflight, lost, notPutBack, budgets } = status;
  return {
    repository: status.repository,
    branch: status.branch,
    config: { state: config.kind, problems: config.kind === "unusable" ? [config.message, ...config.problems] : [] },
    running: running && makeDocument(running, ["runId", "pid", "secondsAgo", "waitsUntil", "asksUntil", "isPausing"]),
    unfinished: unfinished && makeDocument(unfinished, ["runId", "phase", "secondsAgo"]),
    not_put_back: notPutBack && makeDocument(notPutBack, ["runId", "secondsAgo", "differences"]),
    damaged_lock: status.damagedLock,
    missing_lines: status.missingLines,
    lost_tick: lost && makeDocument(lost, ["runId", "secondsAgo"]),
    last_tick: makeTickDocument(status),
    open_series: status.openSeries.map(({ seriesId, options, end, branch }) => {
      const { command, mode, max_ticks } = options;
      return { series_id: seriesId, command, mode, max_ticks, end, branch };
    }),
    waiting: (status.waiting ?? []).map(({ runId, ...thing }) => ({
      ...thing,
      ...(runId === undefined ? {} : { run_id: runId }),
    })),
    open_question: status.question,
    accepted: accepted && makeDocument(accepted, ["runId", "files", "newFiles"]),
    budgets: budgets && makeDocument(budgets, ["milestoneId", "used", "caps", "warnAtFraction"]),
    plan_trouble: status.planTrouble,
    preflight: preflight && makePreflightDocument(preflight),
  };
}

function makeTickDocument({ lastTick }: Status): object | null {
  if (lastTick === null) return null;
  const fields = makeDocument(lastTick, ["runId", "verdict", "code", "intent", "secondsAgo", "commit"]);
  return { ...fields, retry_at: lastTick.retryAt ?? null, undone: lastTick.isUndone };
}

function makePreflightDocument(preflight: NonNullable<Status["preflight"]>): object {
  if (preflight.kind === "ready") return { would_start: true, code: null, cause: null, message: null };
  const { code, cause, message, remedy = describeCause(code, cause).remedy } = preflight;
  return { would_start: false, code, cause, message, remedy };
}
