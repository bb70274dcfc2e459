import { parseMoment } from "../../base/words.ts";
import type { JournalLine } from "../../records/event.ts";
import { evolve } from "../../tick/pure/evolve.ts";
import { START, type TickState } from "../../tick/pure/tick-state.ts";
import { findStep } from "../../cards/phase-strip.ts";
import type { PageTone, PhaseBar } from "./page-documents.ts";

/** Numbers as shapes, in a box whose width and height are 100 and whose zero is at the bottom. */

/** Where a moment stands between the first and the last one. */
function placeMoments(moments: readonly string[]): readonly number[] {
  const times = moments.map((at) => parseMoment(at));
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  return times.map((time, at) =>
    last > first ? (100 * (time - first)) / (last - first) : (100 * at) / Math.max(1, times.length - 1),
  );
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** As steps, because a value holds until the next moment. */
export function drawSteps(moments: readonly string[], values: readonly number[], most: number): string {
  const places = placeMoments(moments);
  const heights = values.map((value) => round(100 - (100 * value) / Math.max(most, Number.MIN_VALUE)));
  const steps = heights.slice(1).map((height, at) => `H${round(places[at + 1] ?? 100)}V${height}`);
  return `M0 ${heights[0] ?? 100}${steps.join("")}H100`;
}

/** The same, filled to the ground. */
export function fillSteps(moments: readonly string[], values: readonly number[], most: number): string {
  return `${drawSteps(moments, values, most)}V100H0Z`;
}

/** The sum up to each value. */
export function addUp(values: readonly number[]): readonly number[] {
  let sum = 0;
  return values.map((value) => (sum += value));
}

export interface ChartBar {
  readonly x: number;
  readonly width: number;
  readonly y: number;
  readonly height: number;
}

const GAP = 0.15;

/** One bar for each value, at most as wide as one of seven; `below` is what they stand on. */
export function drawBars(values: readonly number[], most: number, below: readonly number[] = []): readonly ChartBar[] {
  const step = 100 / Math.max(values.length, 7);
  const scale = 100 / Math.max(most, Number.MIN_VALUE);
  return values.map((value, at) => {
    const height = round(value * scale);
    const y = round(100 - height - (below[at] ?? 0) * scale);
    return { x: round((at + GAP) * step), width: round(step * (1 - 2 * GAP)), y, height };
  });
}

/** The steps of a tick with their times: each lasts from the event that led to it until the event that ended it. */
export function listPhaseBars(lines: readonly JournalLine[]): readonly PhaseBar[] {
  const bars: PhaseBar[] = [];
  let state: TickState = START;
  for (const { at, event } of lines) {
    const open = bars.at(-1);
    if (open?.to === null) bars[bars.length - 1] = { ...open, to: at, tone: judgeStep(event) };
    state = evolve(state, event);
    const step = nameStep(state);
    if (step === null) break;
    const last = bars.at(-1);
    if (last?.step === step && last.tone !== "bad") bars[bars.length - 1] = { ...last, to: null };
    else bars.push({ step, from: at, to: null, tone: "wait" });
  }
  return bars;
}

/** A wait for a person is not work of the step that it belongs to. */
function nameStep(state: TickState): string | null {
  return state.phase === "ask" ? "ask" : findStep(state);
}

const FAILURES: readonly string[] = ["refused", "interrupted", "rollback_failed", "plan_rejected"];

/** How the step ended, by the event that ended it. */
function judgeStep(event: JournalLine["event"]): PageTone {
  if (event.type === "decided") return event.decision === "accept" ? "good" : "calm";
  if (event.type === "build_ended") return event.failure === null ? "good" : "bad";
  const code = "code" in event && event.type !== "tick_ended" ? event.code : null;
  return FAILURES.includes(event.type) || (code !== null && code !== "SUCCESS") ? "bad" : "good";
}
