/**
 * A campaign as the fold of its journal lines. An iteration is one tick with a worker, and one tick for each
 * verification, so a crash during a verification never costs the work.
 */
import type { JournalLine, TickEvent } from "../../records/event.ts";
import { shorten } from "../../base/shorten.ts";
import { findFinishedWork } from "./left-work.ts";
import { isCutShort } from "./cut-short.ts";
import { foldSeries, NO_TICKS, type OpenTick } from "./series-tick.ts";
import { findOutcome, findTask } from "../../tick/pure/tick-facts.ts";
import { FINISHED_WORK_LOST } from "./workflow.ts";
import { type CampaignState, withSettings } from "./campaign-state.ts";
import { evolveVerification, withAnswers } from "./evolve-verification.ts";
import { isContextStuck } from "./verdict-rules.ts";
import { evolveWorker } from "./evolve-worker.ts";

export function foldCampaign(state: CampaignState, line: JournalLine): CampaignState {
  const next = { ...state, series: foldSeries(state.series, line), updatedAt: line.at };
  const { event } = line;
  if (event.type === "tick_started")
    return withSettings({ ...next, hasWaited: false }, event.series?.campaign ?? next.settings);
  if (event.type === "series_waiting") return { ...next, hasWaited: true };
  if (event.type === "series_resumed") return resumeCampaign(next);
  if (event.type === "series_ended") return recordEnd(next, event);
  const { open } = state.series;
  return event.type === "tick_ended" && open !== null ? evolveEndedTick(next, open, line.at) : next;
}

/** Neither a signal nor a pause ends a campaign. */
function recordEnd(state: CampaignState, { end, message }: Extract<TickEvent, { type: "series_ended" }>) {
  return end === "interrupted" || end === "paused" ? state : { ...state, isEndRecorded: true, message };
}

/**
 * Resuming after a recorded end is a decision and resets the breakers; otherwise the campaign continues where it was.
 * Pending verifications stay, because their work is paid for.
 */
function resumeCampaign(state: CampaignState): CampaignState {
  const next = { ...state, restarts: 0, hasWaited: false };
  if (!state.isEndRecorded || state.status === "complete") return next;
  const fresh = { status: "active", isEndRecorded: false, series: NO_TICKS } as const;
  return { ...next, ...fresh, chain: [], failures: 0, isLastTry: false, requests: 0, unchanged: 0 };
}

function evolveEndedTick(state: CampaignState, open: OpenTick, at: string): CampaignState {
  const { settings } = state;
  const { state: tick } = open;
  const [outcome, task] = [findOutcome(tick), findTask(tick)];
  if (settings === null || outcome === null || task === null) return state;
  const known = { state, tick, outcome, settings, at };
  if (task.task_kind !== "execute")
    return isCutShort(outcome) ? withAnswers(state, tick) : blockIfStuck(evolveVerification(known));
  // The worker is not called again if recovery kept all of its finished work.
  if (isCutShort(outcome)) return { ...state, finished: findFinishedWork(open.runId, tick) ?? state.finished };
  // The finished work is lost, so the next tick calls a worker.
  if (outcome.cause === FINISHED_WORK_LOST) return { ...state, finished: null };
  return blockIfStuck({ ...evolveWorker(known), finished: null });
}

const MESSAGE_CHARS = 2000;

function blockIfStuck(state: CampaignState): CampaignState {
  const isWorkersTurn = state.status === "active" && state.due.length === 0;
  if (!isWorkersTurn || !isContextStuck(state.unchanged)) return state;
  const stuck = `context-latest.md has not changed in ${state.unchanged} iterations in a row.`;
  const message = state.objection === null ? stuck : `${stuck} ${state.objection}`;
  return { ...state, status: "blocked", lastResult: "blocked", message: shorten(message, MESSAGE_CHARS) };
}
