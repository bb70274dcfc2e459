/** How long it has taken, against everything that would end it. */
import type { SessionLimits } from "../../contract/journal/live-event.ts";
import { findStart } from "../../core/tick/tick-facts.ts";
import { speakerAt } from "./activity-rows.ts";
import { bar, clock, type Line, lineWidth, roomBeside, row, span } from "./frame-line.ts";
import type { PartPlace } from "./frame-place.ts";
import type { LiveModel } from "./live-model.ts";

export function timeRows(model: LiveModel, { columns, now }: PartPlace): readonly Line[] {
  const { tick } = model;
  if (tick === null) return [];
  const most = (findStart(tick.state)?.max_tick_seconds ?? 0) * 1000;
  const ticks = gauge("tick", now - tick.startedMs, most);
  const session = sessionGauge(model, now);
  if (session === null) return [row("time", ticks, columns)];
  const beside = [...ticks, span("   "), ...session];
  if (lineWidth(beside) <= roomBeside(columns)) return [row("time", beside, columns)];
  return [row("time", ticks, columns), row("", session, columns)];
}

/** What is near its end is meant to be noticed. */
const NEAR = 0.8;

function gauge(name: string, ms: number, most: number): Line {
  const tone = ms >= most * NEAR ? "bad" : "good";
  return [span(bar(ms, most), tone), span(` ${name} ${clock(ms)} of ${clock(most)}`)];
}

/** The session of this phase, where it has a limit of its own. */
function sessionGauge({ tick, agents, limits }: LiveModel, now: number): Line | null {
  if (tick === null) return null;
  const speaker = speakerAt(tick.state);
  const isReview = tick.state.phase === "review";
  const limit = limitOf(limits, isReview ? "reviewer" : speaker);
  if (limit === null) return null;
  const startedMs = agents.find((one) => one.speaker === speaker)?.startedMs ?? tick.phaseMs;
  return gauge("session", now - startedMs, limit);
}

function limitOf(limits: SessionLimits, who: keyof SessionLimits | null): number | null {
  return who === null ? null : limits[who];
}
