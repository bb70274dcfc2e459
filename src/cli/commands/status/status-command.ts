import { CODES } from "../../../contract/values/codes.ts";
import { describeCause } from "../../../core/words/cause-words.ts";
import type { Status } from "../../../contract/answers/status.ts";
import { readStatus } from "../../../run/inspect/status.ts";
import { renderStatus } from "../../../view/status/status-text.ts";
import { refuseMisuse, type RunCommand } from "../../framework/command.ts";
import { makeScriptPlayer } from "../../live/script-player.ts";
import { getCanvas } from "../../framework/session-canvas.ts";
import type { StatusOptions } from "./status-spec.ts";
import { printFailure } from "../../answers/refusal-answer.ts";

/** `relais status`, and `relais` alone. */
export const runStatus: RunCommand<StatusOptions> = async ({ options }, session) => {
  if (options.flag("watch")) {
    const { watchStatus } = await import("../../live/status-watch.ts");
    const refusal = await watchStatus(
      { withPreflight: options.flag("preflight"), role: options.choice("role") },
      session,
    );
    if (refusal !== null) return refusal;
  }
  if (!options.flag("watch") && options.choice("role") !== null) return refuseMisuse("--role goes with --watch");
  const { cwd, signal, json, out } = session;
  const status = await readStatus({
    cwd,
    environment: session.environment,
    signal,
    withPreflight: options.flag("preflight"),
    player: makeScriptPlayer(session),
  });
  if (status.kind !== "status") return printFailure(status, session);
  out(json ? `${JSON.stringify(statusDocument(status))}\n` : renderStatus(status, getCanvas(session)));
  return { kind: "ended", status: exitOf(status) };
};

function exitOf({ preflight, config }: Status): number {
  if (preflight?.kind === "blocked") return CODES[preflight.code].exit;
  return config.kind === "usable" ? 0 : CODES.BLOCKED_MISSING_CONFIG.exit;
}

function statusDocument(status: Status): object {
  const { repository, branch, config, running, unfinished, question, accepted, preflight } = status;
  const { damagedLock, missingLines, lost, notPutBack, planTrouble } = status;
  return {
    repository,
    branch,
    config: { state: config.kind, problems: config.kind === "unusable" ? configProblems(config) : [] },
    running: running && {
      run_id: running.runId,
      pid: running.pid,
      seconds_ago: running.secondsAgo,
      waits_until: running.waitsUntil,
    },
    unfinished: unfinished && {
      run_id: unfinished.runId,
      phase: unfinished.phase,
      seconds_ago: unfinished.secondsAgo,
    },
    not_put_back: notPutBack && {
      run_id: notPutBack.runId,
      seconds_ago: notPutBack.secondsAgo,
      differences: notPutBack.differences,
    },
    damaged_lock: damagedLock,
    missing_lines: missingLines,
    lost_tick: lost && { run_id: lost.runId, seconds_ago: lost.secondsAgo },
    last_tick: lastTickDocument(status),
    open_series: status.openSeries.map(seriesDocument),
    waiting: status.waiting ?? [],
    open_question: question,
    accepted: accepted && { run_id: accepted.runId, files: accepted.files, new_files: accepted.newFiles },
    budgets: budgetsDocument(status),
    plan_trouble: planTrouble,
    preflight: preflight && preflightDocument(preflight),
  };
}

function configProblems({ message, problems }: Extract<Status["config"], { kind: "unusable" }>): readonly string[] {
  return [message, ...problems];
}

function seriesDocument({ seriesId, options, end, branch }: Status["openSeries"][number]): object {
  const { command, mode, max_ticks } = options;
  return { series_id: seriesId, command, mode, max_ticks, end, branch };
}

function lastTickDocument({ lastTick }: Status): object | null {
  if (lastTick === null) return null;
  const { runId, verdict, code, intent, secondsAgo, commit, isUndone, retryAt = null } = lastTick;
  const age = { seconds_ago: secondsAgo, retry_at: retryAt };
  return { run_id: runId, verdict, code, intent, ...age, commit, undone: isUndone };
}

function budgetsDocument({ budgets }: Status): object | null {
  if (budgets === null) return null;
  const { milestoneId, used, caps, warnAtFraction } = budgets;
  return { milestone_id: milestoneId, used, caps, warn_at_fraction: warnAtFraction };
}

function preflightDocument(preflight: NonNullable<Status["preflight"]>): object {
  if (preflight.kind === "ready") return { would_start: true, code: null, cause: null, message: null };
  const { code, cause, message, remedy = describeCause(code, cause).remedy } = preflight;
  return { would_start: false, code, cause, message, remedy };
}
