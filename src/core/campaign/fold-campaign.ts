/**
 * A campaign as the fold of its journal lines.
 *
 * An iteration is one tick in which a worker builds, and one tick for each verification that its signal asks for. So a
 * crash while somebody verifies never costs the work, and whoever goes on finds the same iteration.
 */
import type { CampaignSettings } from "../../contract/workflows/campaign.ts";
import type { JournalLine, TickEvent } from "../../contract/journal/event.ts";
import { shorten } from "../words/shorten.ts";
import { findFinishedWork } from "../series/left-work.ts";
import { foldSeries, isCutShort, NO_TICKS, type OpenTick } from "../series/series-tick.ts";
import { findOutcome, findTask } from "../tick/tick-facts.ts";
import { FINISHED_WORK_LOST } from "../workflow/workflow.ts";
import type { CampaignState } from "./campaign-state.ts";
import { evolveVerification, withAnswers } from "./evolve-verification.ts";
import { isContextStuck } from "./verdict-rules.ts";
import { withSettings } from "./with-settings.ts";
import { evolveWorker } from "./evolve-worker.ts";

/** Folds one line of the series. */
export function foldCampaign(state: CampaignState, line: JournalLine): CampaignState {
  const next = { ...state, series: foldSeries(state.series, line), updatedAt: line.at };
  const { event } = line;
  if (event.type === "tick_started")
    return withSettings({ ...next, hasWaited: false }, event.series?.campaign ?? next.settings);
  if (event.type === "series_waiting") return { ...next, hasWaited: true };
  if (event.type === "series_resumed") return resumed(next);
  if (event.type === "series_ended") return over(next, event);
  const { open } = state.series;
  return event.type === "tick_ended" && open !== null ? ended(next, open, line.at) : next;
}

/** A signal is no end of a campaign, so whoever goes on after one decides nothing anew. */
function over(state: CampaignState, { end, message }: Extract<TickEvent, { type: "series_ended" }>) {
  return end === "interrupted" ? state : { ...state, isEndRecorded: true, message };
}

/**
 * Whoever goes on after a recorded end means to; after anything else the campaign stands where it stood. What waits for
 * its verification waits still, because the work was done and paid for.
 */
function resumed(state: CampaignState): CampaignState {
  const next = { ...state, restarts: 0, hasWaited: false };
  if (!state.isEndRecorded || state.status === "complete") return next;
  const fresh = { status: "active", isEndRecorded: false, series: NO_TICKS } as const;
  return { ...next, ...fresh, chain: [], failures: 0, isLastTry: false, requests: 0, unchanged: 0 };
}

function ended(state: CampaignState, open: OpenTick, at: string): CampaignState {
  const { settings } = state;
  const { state: tick } = open;
  const [outcome, task] = [findOutcome(tick), findTask(tick)];
  if (settings === null || outcome === null || task === null) return state;
  const known = { state, tick, outcome, settings, at };
  if (task.task_kind !== "execute")
    return isCutShort(outcome) ? withAnswers(state, tick) : steady(evolveVerification(known), settings);
  // A worker whose session had come to its end is not called again, if recovery could keep all that it had done.
  if (isCutShort(outcome)) return { ...state, finished: findFinishedWork(open.runId, tick) ?? state.finished };
  // Nobody has worked in this tick: the next one calls a worker.
  if (outcome.cause === FINISHED_WORK_LOST) return { ...state, finished: null };
  return steady({ ...evolveWorker(known), finished: null }, settings);
}

const MESSAGE_CHARS = 2000;

/** Before another worker is paid: whether anything has moved since the last ones. */
function steady(state: CampaignState, { limits }: CampaignSettings): CampaignState {
  const isWorkersTurn = state.status === "active" && state.due.length === 0;
  if (!isWorkersTurn || !isContextStuck(state.unchanged, limits)) return state;
  const stuck = `context-latest.md has not changed in ${state.unchanged} iterations in a row.`;
  const message = state.objection === null ? stuck : `${stuck} ${state.objection}`;
  return { ...state, status: "blocked", lastResult: "blocked", message: shorten(message, MESSAGE_CHARS) };
}
