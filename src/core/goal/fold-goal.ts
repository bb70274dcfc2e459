/**
 * A goal as the fold of its journal lines.
 *
 * A turn is two ticks: one in which a worker builds and a checkpoint is committed, and one in which the runner checks
 * and reviewers look. So a crash while somebody looks never costs the work, and what a reviewer has answered is not
 * asked again. Everything that decides is in the lines, so that any process comes to the same state.
 */
import type { JournalLine } from "../../contract/journal/event.ts";
import { foldSeries, NO_TICKS } from "../series/series-tick.ts";
import { evolveGoal } from "./evolve-goal.ts";
import { type GoalState, noteInGoal } from "./goal-state.ts";

/** Folds one line of the series. */
export function foldGoal(state: GoalState, line: JournalLine): GoalState {
  const { open } = state.series;
  const next = { ...state, series: foldSeries(state.series, line) };
  const { event, at } = line;
  if (event.type === "tick_started") return begun({ ...next, settings: event.series?.goal ?? next.settings }, at);
  if (event.type === "build_started" && event.kept === undefined)
    return noteInGoal(next, at, {
      turn: next.turns + 1,
      event: "work_turn_started",
      summary: "A worker has begun.",
    });
  if (event.type === "series_resumed") return resumed(next, at);
  return event.type === "tick_ended" && open !== null ? evolveGoal(next, open, at) : next;
}

function begun(state: GoalState, at: string): GoalState {
  if (state.createdAt !== null) return state;
  return noteInGoal({ ...state, createdAt: at }, at, {
    turn: 0,
    event: "created",
    summary: "The goal was set.",
  });
}

/** A person goes on: whatever was decided before is open again, but for a goal that is reached. */
function resumed(state: GoalState, at: string): GoalState {
  if (state.status === "complete") return state;
  // What was only cut short has been decided by nobody, and its blockers count on.
  const blockersSeen = state.status === "active" ? state.blockersSeen : state.turns;
  const open = { ...state, status: "active", blockersSeen, series: NO_TICKS } as const;
  return noteInGoal(open, at, {
    turn: state.turns,
    event: "resumed",
    summary: "Somebody went on with the goal.",
  });
}
