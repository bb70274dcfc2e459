import { CODES, type Code } from "../../base/codes.ts";
import type { JournalLine } from "../../records/event.ts";
import type { Task } from "../../records/task.ts";
import { evolve } from "../../tick/pure/evolve.ts";
import { findJudgement, findOutcome, findSettled, findTask } from "../../tick/pure/tick-facts.ts";
import { type Outcome, START, type TickState } from "../../tick/pure/tick-state.ts";
import { wasInterrupted } from "./cut-short.ts";
import { foldRound, type Round } from "./round.ts";
import { type UnfinishedWork, findUnfinishedWork } from "./left-work.ts";

export interface SeriesTick {
  readonly runId: string;
  readonly code: Code;
  readonly cause: string | null;
  readonly message: string | null;
  /** The command that goes on. */
  readonly goOn?: string;
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
  readonly open: UnendedTick | null;
  /** Tasks of the last answer that are not over yet; absent is none. */
  readonly round?: Round | null;
}

export interface UnendedTick {
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
  if (event.type === "series_resumed") return resumeSeries(series);
  if (event.type === "series_waiting") return { ...series, ticks: passLast(series.ticks) };
  if (series.open === null && event.type !== "tick_started" && event.type !== "abandoned") return series;
  const open = { runId, state: evolve(series.open?.runId === runId ? series.open.state : START, event) };
  if (event.type !== "tick_ended") return { ...series, open };
  return endTick(series, open, event.counted);
}

function endTick({ ticks, round: before = null }: SeriesTicks, open: UnendedTick, isCounted: boolean): SeriesTicks {
  const round = foldRound(before, open.state, ticks.length);
  const made = makeSeriesTick(open, isCounted);
  const rest = round === null ? { open: null } : { open: null, round };
  if (made === null) return { ticks, ...rest };
  const tick = isSentBack(before, round) ? passOver(made) : made;
  return { ticks: insertTick(ticks, tick, (round ?? before)?.from ?? null), ...rest };
}

/** The task of this tick is tried again in another one, which counts. */
function isSentBack(before: Round | null, after: Round | null): boolean {
  return after !== null && after.waiting.some((one) => one.isAgain && before?.waiting.includes(one) !== true);
}

const passOver = (tick: SeriesTick): SeriesTick => ({ ...tick, isCounted: false, isPassed: true });

const isFine = (tick: SeriesTick): boolean => isGreen(tick) || tick.isPassed === true;

/** The ticks of a round count together: what failed in it decides after the others. */
function insertTick(ticks: readonly SeriesTick[], tick: SeriesTick, from: number | null): readonly SeriesTick[] {
  const at = from === null || !isFine(tick) ? -1 : ticks.findIndex((one, index) => index >= from && !isFine(one));
  return at === -1 ? [...ticks, tick] : [...ticks.slice(0, at), tick, ...ticks.slice(at)];
}

/** A person has seen what could not land. */
function resumeSeries(series: SeriesTicks): SeriesTicks {
  const { round = null, ticks, open } = series;
  if (round === null || round.unlanded.length === 0) return { ...series, ticks: resumeTicks(ticks) };
  const seen = { ticks: passLast(ticks), open };
  return round.waiting.length === 0 ? seen : { ...seen, round: { ...round, unlanded: [] } };
}

function makeSeriesTick({ runId, state }: UnendedTick, isCounted: boolean): SeriesTick | null {
  const [outcome, settled] = [findOutcome(state), findSettled(state)];
  if (outcome === null) return null;
  const kept = settled !== null && settled.action !== "rollback";
  const changed = kept && (findJudgement(state)?.blast_radius.files_touched ?? 0) > 0;
  const unfinished = findUnfinishedWork(state);
  const left = unfinished === null ? {} : { unfinished };
  return { runId, ...outcome, task: findTask(state), isCounted, changed, ...left };
}

const PASSED_WHEN_RESUMED: readonly Code[] = ["STOP_QUESTION", "STOP_TICK_TIMEOUT", "STOP_UNDECIDED", "STOP_SUSPECT"];

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
