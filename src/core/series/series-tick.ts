import { CODES, type Code } from "../../contract/values/codes.ts";
import type { JournalLine } from "../../contract/journal/event.ts";
import type { Task } from "../../contract/documents/task.ts";
import { evolve } from "../tick/evolve.ts";
import { findJudgement, findOutcome, findSettled, findTask } from "../tick/tick-facts.ts";
import { type Outcome, START, type TickState } from "../tick/tick-state.ts";
import { type UnfinishedWork, findUnfinishedWork } from "./left-work.ts";

export interface SeriesTick {
  readonly runId: string;
  readonly code: Code;
  readonly cause: string | null;
  readonly message: string | null;
  /** Null if the tick ended before there was a task. */
  readonly task: Task | null;
  readonly isCounted: boolean;
  readonly changed: boolean;
  /** Whether the series continued after it: a limit has passed, a question was seen. */
  readonly isPassed?: boolean;
  readonly unfinished?: UnfinishedWork;
}

export interface SeriesTicks {
  readonly ticks: readonly SeriesTick[];
  readonly open: OpenTick | null;
}

export interface OpenTick {
  readonly runId: string;
  readonly state: TickState;
}

/** The end of a tick of a workflow with settings. */
export interface EndedTick<State, Settings> {
  readonly state: State;
  readonly tick: TickState;
  readonly outcome: Outcome;
  readonly settings: Settings;
  readonly at: string;
}

export const NO_TICKS: SeriesTicks = { ticks: [], open: null };

export function foldSeries(series: SeriesTicks, { run_id: runId, event }: JournalLine): SeriesTicks {
  if (event.type === "series_resumed") return { ...series, ticks: resumeTicks(series.ticks) };
  if (event.type === "series_waiting") return { ...series, ticks: passLast(series.ticks) };
  if (series.open === null && event.type !== "tick_started" && event.type !== "abandoned") return series;
  const open = { runId, state: evolve(series.open?.runId === runId ? series.open.state : START, event) };
  if (event.type !== "tick_ended") return { ...series, open };
  const tick = makeSeriesTick(open, event.counted);
  return { ticks: tick === null ? series.ticks : [...series.ticks, tick], open: null };
}

function makeSeriesTick({ runId, state }: OpenTick, isCounted: boolean): SeriesTick | null {
  const [outcome, settled] = [findOutcome(state), findSettled(state)];
  if (outcome === null) return null;
  const kept = settled !== null && settled.action !== "rollback";
  const changed = kept && (findJudgement(state)?.blast_radius.files_touched ?? 0) > 0;
  const unfinished = findUnfinishedWork(state);
  const left = unfinished === null ? {} : { unfinished };
  return { runId, ...outcome, task: findTask(state), isCounted, changed, ...left };
}

const CUT_SHORT: readonly (string | null)[] = ["crash", "abandoned", "sighup", "sigint", "sigterm"];

const wasInterrupted = ({ code, cause }: Pick<Outcome, "code" | "cause">): boolean =>
  code === "STOP_INTERRUPTED" && CUT_SHORT.includes(cause);

/** It says nothing about the work: a signal, a crash, a rate limit, nobody decided, or something blocks every tick. */
export function isCutShort(outcome: Outcome): boolean {
  const { code } = outcome;
  return (
    code === "STOP_RATE_LIMITED" ||
    code === "STOP_UNDECIDED" ||
    CODES[code].verdict === "blocked" ||
    wasInterrupted(outcome)
  );
}

const PASSED_WHEN_RESUMED: readonly Code[] = ["STOP_QUESTION", "STOP_TICK_TIMEOUT", "STOP_UNDECIDED"];

/** An interrupted tick is repeated and does not count; a question has its answer, a timeout was seen. */
function resumeTicks(ticks: readonly SeriesTick[]): readonly SeriesTick[] {
  const last = ticks.at(-1);
  if (last === undefined) return ticks;
  if (wasInterrupted(last)) return ticks.slice(0, -1);
  return PASSED_WHEN_RESUMED.includes(last.code) ? passLast(ticks) : ticks;
}

function passLast(ticks: readonly SeriesTick[]): readonly SeriesTick[] {
  return ticks.map((tick, index) => (index === ticks.length - 1 ? { ...tick, isPassed: true } : tick));
}

export function isGreen({ code }: SeriesTick): boolean {
  return CODES[code].verdict === "success";
}
