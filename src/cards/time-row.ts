/** The time of the tick and of its session, with their limits. */
import type { SessionLimits } from "../records/live-event.ts";
import { findStart } from "../tick/pure/tick-facts.ts";
import { findSpeaker } from "./activity-rows.ts";
import { drawBar } from "../base/canvas.ts";
import {
  formatClock,
  type FrameLine,
  measureLine,
  measureRoomBeside,
  makeRow,
  makeSpan,
  type PartPlace,
} from "./frame-line.ts";
import type { LiveModel } from "./live-model.ts";

export function renderTimeRows(model: LiveModel, { columns, now }: PartPlace): readonly FrameLine[] {
  const { tick } = model;
  if (tick === null) return [];
  const most = (findStart(tick.state)?.max_tick_seconds ?? 0) * 1000;
  const until = tick.state.phase === "ask" ? tick.phaseMs : now;
  const ticks = renderGauge("tick", until - tick.startedMs, most);
  const session = renderSessionGauge(model, now);
  if (session === null) return [makeRow("time", ticks, columns)];
  const beside = [...ticks, makeSpan("   "), ...session];
  if (measureLine(beside) <= measureRoomBeside(columns)) return [makeRow("time", beside, columns)];
  return [makeRow("time", ticks, columns), makeRow("", session, columns)];
}

/** From this share of a limit on, the gauge is red. */
const NEAR = 0.8;

function renderGauge(name: string, ms: number, most: number): FrameLine {
  const tone = ms >= most * NEAR ? "bad" : "good";
  return [makeSpan(drawBar(ms, most), tone), makeSpan(` ${name} ${formatClock(ms)} of ${formatClock(most)}`)];
}

/** The session of this phase, where it has a limit of its own. */
function renderSessionGauge({ tick, agents, limits }: LiveModel, now: number): FrameLine | null {
  if (tick === null) return null;
  const speaker = findSpeaker(tick.state);
  const isReview = tick.state.phase === "review";
  const limit = findLimit(limits, isReview ? "reviewer" : speaker);
  if (limit === null) return null;
  const startedMs = agents.find((one) => one.speaker === speaker)?.startedMs ?? tick.phaseMs;
  return renderGauge("session", now - startedMs, limit);
}

function findLimit(limits: SessionLimits, who: keyof SessionLimits | null): number | null {
  return who === null ? null : limits[who];
}
