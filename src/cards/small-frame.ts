/** The frame of a very small terminal: one line, or two. */
import { renderAgentDoing } from "./agent-event-text.ts";
import { joinLines, pickVerdictMark } from "./report-words.ts";
import { findSpeaker, describeRunner } from "./activity-rows.ts";
import { formatClock, type FrameLine, makeSpan, type PartPlace } from "./frame-line.ts";
import type { LiveModel } from "./live-model.ts";
import { describeWait } from "./notice-rows.ts";
import { findStep } from "./phase-strip.ts";
import { describeProgress } from "./title-line.ts";

export function renderSmallFrame(model: LiveModel, { now }: Pick<PartPlace, "now">): readonly FrameLine[] {
  const { tick } = model;
  const step = tick === null ? null : findStep(tick.state);
  const time = tick === null ? "" : ` ${formatClock(now - tick.startedMs)}`;
  return [
    [makeSpan(`${step ?? "relais"}${time}`, "strong"), makeSpan(` ${describeProgress(model)}`)],
    renderNow(model, now),
  ];
}

function renderNow(model: LiveModel, now: number): FrameLine {
  const { question, wait, tick, recent } = model;
  if (question !== null) return [makeSpan("? ", "strong"), makeSpan(joinLines(question.prompt))];
  if (wait !== null) return [makeSpan("… ", "strong"), makeSpan(describeWait(wait, now))];
  if (tick !== null) return [makeSpan("▸ ", "strong"), makeSpan(describeDoing(model) ?? describeRunner(tick.state))];
  const last = recent.at(-1);
  if (last === undefined) return [makeSpan("… ", "faint"), makeSpan("Starting")];
  const { mark, tone } = pickVerdictMark(last);
  return [makeSpan(`${mark} ${last.turn ?? last.code}`, tone)];
}

function describeDoing({ tick, agents }: LiveModel): string | null {
  const speaker = tick === null ? null : findSpeaker(tick.state);
  const agent = agents.find((one) => one.speaker === speaker);
  if (agent === undefined) return null;
  return agent.doing === null ? `${agent.speaker} is starting` : renderAgentDoing(agent.doing);
}
