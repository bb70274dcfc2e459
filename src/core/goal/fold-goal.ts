/**
 * A goal as the fold of its journal lines. A turn is two ticks: in one a worker builds and a checkpoint is committed,
 * in the other checks and reviewers look at it. So a crash during a review never costs the work, and no reviewer is
 * asked twice.
 */
import type { JournalLine } from "../../contract/journal/event.ts";
import { foldSeries, NO_TICKS } from "../series/series-tick.ts";
import { evolveGoal } from "./evolve-goal.ts";
import { type GoalState, noteInGoal } from "./goal-state.ts";

export function foldGoal(state: GoalState, line: JournalLine): GoalState {
  const { open } = state.series;
  const next = { ...state, series: foldSeries(state.series, line) };
  const { event, at } = line;
  if (event.type === "tick_started") return startGoal({ ...next, settings: event.series?.goal ?? next.settings }, at);
  if (event.type === "build_started" && event.kept === undefined)
    return noteInGoal(next, at, {
      turn: next.turns + 1,
      event: "work_turn_started",
      summary: "A worker has begun.",
    });
  if (event.type === "series_resumed") return resumeGoal(next, at);
  return event.type === "tick_ended" && open !== null ? evolveGoal(next, open, at) : next;
}

function startGoal(state: GoalState, at: string): GoalState {
  if (state.createdAt !== null) return state;
  return noteInGoal({ ...state, createdAt: at }, at, {
    turn: 0,
    event: "created",
    summary: "The goal was set.",
  });
}

/** A person resumes: every earlier decision is open again, except completion. */
function resumeGoal(state: GoalState, at: string): GoalState {
  if (state.status === "complete") return state;
  // An interruption is no decision, so its blockers still count.
  const blockersSeen = state.status === "active" ? state.blockersSeen : state.turns;
  const open = { ...state, status: "active", blockersSeen, series: NO_TICKS } as const;
  return noteInGoal(open, at, {
    turn: state.turns,
    event: "resumed",
    summary: "The goal was resumed.",
  });
}
