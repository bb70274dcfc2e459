import { CODES, type Code, SERIES_ENDS, type SeriesEnd } from "../../contract/values/codes.ts";
import type { Style } from "../text/style.ts";

export function renderCode(code: Code, style: Style): string {
  const { verdict, exit, meaning, remedy } = CODES[code];
  return `${style("strong", code)}: ${verdict}, exit status ${exit}\n  ${meaning}\n  Next: ${remedy}\n`;
}

/** One way in which a series of ticks ends. */
export function renderSeriesEnd(end: SeriesEnd, style: Style): string {
  const { exit, meaning } = SERIES_ENDS[end];
  return `${style("strong", end)}: end of a series, exit status ${exit}\n  ${meaning}\n`;
}

/** Every code and every end of a series, one line each. */
export function renderCodeList(style: Style): string {
  const codes = Object.entries(CODES).map(([code, { exit, meaning }]) => ({ name: code, exit, meaning }));
  const ends = Object.entries(SERIES_ENDS).map(([end, { exit, meaning }]) => ({ name: end, exit, meaning }));
  const width = Math.max(...[...codes, ...ends].map(({ name }) => name.length));
  const line = ({ name, exit, meaning }: (typeof codes | typeof ends)[number]) =>
    `  ${style("strong", name.padEnd(width))}  ${String(exit).padStart(3)}  ${meaning}`;
  return [
    "Codes of a tick or a judgement, with exit status:",
    ...codes.map(line),
    "",
    "Ends of a series, with exit status:",
    ...ends.map(line),
    "",
  ].join("\n");
}
