/** The most important rows: a wait, or a question. */
import { joinLines } from "./report-words.ts";
import { drawBar } from "../base/canvas.ts";
import { formatClock, type FrameLine, makeRow, makeSpan, type PartPlace } from "./frame-line.ts";
import type { LiveModel, LiveWait } from "./live-model.ts";
import { formatTimeOfDay } from "../base/utc.ts";

const PROMPT_CHARS = 600;

export function renderNoticeRows({ wait, question }: LiveModel, place: PartPlace): readonly FrameLine[] {
  const { columns } = place;
  return [
    ...(wait === null ? [] : renderWait(wait, place)),
    ...(question === null
      ? []
      : [
          makeRow(
            "question",
            [makeSpan("? ", "strong"), makeSpan(joinLines(question.prompt.slice(0, PROMPT_CHARS)), "strong")],
            columns,
          ),
          ...renderChoices(question.choices, columns),
          makeRow("", [makeSpan('answer with `relais answer "..."`', "faint")], columns),
        ]),
  ];
}

/** The time that is left, in words as short as a title has room for. */
export function describeWait({ untilMs, isLimit }: LiveWait, now: number): string {
  return `waiting for ${isLimit ? "a rate limit" : "the next attempt"}, ${formatClock(untilMs - now + 999)} left`;
}

function renderWait(wait: LiveWait, { columns, now }: PartPlace): readonly FrameLine[] {
  const { sinceMs, untilMs } = wait;
  return [
    makeRow(
      "wait",
      [makeSpan(drawBar(now - sinceMs, untilMs - sinceMs), "strong"), makeSpan(` ${describeWait(wait, now)}`)],
      columns,
    ),
    makeRow("", [makeSpan(`until ${formatTimeOfDay(untilMs)} UTC; relais continues by itself`, "faint")], columns),
  ];
}

function renderChoices(choices: readonly string[], columns: number): readonly FrameLine[] {
  if (choices.length === 0) return [];
  return [makeRow("", [makeSpan(choices.map((choice) => joinLines(choice)).join(" / "))], columns)];
}
