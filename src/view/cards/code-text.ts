import { CODES, type Code, isCode, SERIES_ENDS, type SeriesEnd } from "../../contract/values/codes.ts";
import { type Canvas, renderIndented, renderPairs } from "../text/canvas.ts";

/** One code, or one end of a series. */
export function renderCode(name: Code | SeriesEnd, canvas: Canvas): string {
  const entry = isCode(name) ? CODES[name] : SERIES_ENDS[name];
  const lines = [
    `${canvas.style("strong", name)}: ${"verdict" in entry ? entry.verdict : "end of a series"}, exit status ${entry.exit}`,
    ...renderIndented(entry.meaning, 2, canvas),
    ...("remedy" in entry ? renderIndented(`Next: ${entry.remedy}`, 2, canvas) : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** Every code and every end of a series, with its exit status. */
export function renderCodeList(canvas: Canvas): string {
  const list = (table: Readonly<Record<string, { readonly exit: number; readonly meaning: string }>>) =>
    renderPairs(
      Object.entries(table).map(([name, { exit, meaning }]) => [name, `${exit}: ${meaning}`]),
      canvas,
    );
  return [
    "Codes of a tick or a judgement, with exit status:",
    ...list(CODES),
    "",
    "Ends of a series, with exit status:",
    ...list(SERIES_ENDS),
    "",
  ].join("\n");
}
