/** What is left where there is next to no room: one line, or two. */
import { CODES } from "../../contract/values/codes.ts";
import { agentDoing } from "../text/agent-event-text.ts";
import { oneLine, verdictMark } from "../cards/report-words.ts";
import { speakerAt, runnerWords } from "./activity-rows.ts";
import { clock, type Line, span } from "./frame-line.ts";
import type { PartPlace } from "./frame-place.ts";
import type { LiveModel } from "./live-model.ts";
import { waitWords } from "./notice-rows.ts";
import { stepOf } from "./phase-strip.ts";
import { progressWords } from "./title-line.ts";

export function smallFrame(model: LiveModel, { now }: Pick<PartPlace, "now">): readonly Line[] {
  const { tick } = model;
  const step = tick === null ? null : stepOf(tick.state);
  const time = tick === null ? "" : ` ${clock(now - tick.startedMs)}`;
  return [
    [span(`${step ?? "relais"}${time}`, "strong"), span(` ${progressWords(model)}`)],
    nowLine(model, now),
  ];
}

function nowLine(model: LiveModel, now: number): Line {
  const { question, wait, tick, recent } = model;
  if (question !== null) return [span("? ", "strong"), span(oneLine(question.prompt))];
  if (wait !== null) return [span("… ", "strong"), span(waitWords(wait, now))];
  if (tick !== null) return [span("▸ ", "strong"), span(doingWords(model) ?? runnerWords(tick.state))];
  const last = recent.at(-1);
  if (last === undefined) return [span("… ", "faint"), span("Starting")];
  const { mark, tone } = verdictMark({ code: last.code, verdict: CODES[last.code].verdict });
  return [span(`${mark} ${last.code}`, tone)];
}

function doingWords({ tick, agents }: LiveModel): string | null {
  const speaker = tick === null ? null : speakerAt(tick.state);
  const agent = agents.find((one) => one.speaker === speaker);
  if (agent === undefined) return null;
  return agent.doing === null ? `${agent.speaker} is starting` : agentDoing(agent.doing);
}
