/** The most important rows: a wait, or a question. */
import { oneLine } from "../cards/report-words.ts";
import { bar, clock, type Line, row, span } from "./frame-line.ts";
import type { PartPlace } from "./frame-place.ts";
import type { LiveModel, LiveWait } from "./live-model.ts";
import { timeOfDay } from "../../core/words/utc.ts";

const PROMPT_CHARS = 600;

export function noticeRows({ wait, question }: LiveModel, place: PartPlace): readonly Line[] {
  const { columns } = place;
  return [
    ...(wait === null ? [] : waitRows(wait, place)),
    ...(question === null
      ? []
      : [
          row(
            "question",
            [span("? ", "strong"), span(oneLine(question.prompt.slice(0, PROMPT_CHARS)), "strong")],
            columns,
          ),
          ...choiceRows(question.choices, columns),
          row("", [span('answer with `relais answer "..."`', "faint")], columns),
        ]),
  ];
}

/** The time that is left, in words as short as a title has room for. */
export function waitWords({ untilMs, isLimit }: LiveWait, now: number): string {
  return `waiting for ${isLimit ? "a rate limit" : "the next attempt"}, ${clock(untilMs - now + 999)} left`;
}

function waitRows(wait: LiveWait, { columns, now }: PartPlace): readonly Line[] {
  const { sinceMs, untilMs } = wait;
  return [
    row(
      "wait",
      [span(bar(now - sinceMs, untilMs - sinceMs), "strong"), span(` ${waitWords(wait, now)}`)],
      columns,
    ),
    row("", [span(`until ${timeOfDay(untilMs)} UTC; relais continues by itself`, "faint")], columns),
  ];
}

function choiceRows(choices: readonly string[], columns: number): readonly Line[] {
  if (choices.length === 0) return [];
  return [row("", [span(choices.map((choice) => oneLine(choice)).join(" / "))], columns)];
}
