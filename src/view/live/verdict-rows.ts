/** How the last ticks ended, the newest first. */
import { CODES } from "../../contract/values/codes.ts";
import { durationText } from "../text/duration-text.ts";
import { oneLine, verdictMark } from "../cards/report-words.ts";
import { type Line, roomBeside, row, span, spread } from "./frame-line.ts";
import type { PartPlace } from "./frame-place.ts";
import type { LiveModel, LiveVerdict } from "./live-model.ts";

const INTENT_CHARS = 200;

export function verdictRows({ recent }: LiveModel, { columns }: Pick<PartPlace, "columns">): readonly Line[] {
  return recent
    .toReversed()
    .map((verdict, index) =>
      row(index === 0 ? "last" : "", verdictLine(verdict, roomBeside(columns)), columns),
    );
}

/** What is green needs no name. */
function verdictLine({ code, intent, durationMs }: LiveVerdict, columns: number): Line {
  const { mark, tone } = verdictMark({ code, verdict: CODES[code].verdict });
  const words = intent === null ? "no task" : oneLine(intent.slice(0, INTENT_CHARS));
  const name = code === "SUCCESS" ? [] : [span(`${code} `, tone)];
  return spread(
    [span(`${mark} `, tone), ...name, span(words)],
    [span(durationText(durationMs), "faint")],
    columns,
  );
}
