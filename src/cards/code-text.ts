import { CODES, type Code, isCode, SERIES_ENDS, type SeriesEnd } from "../base/codes.ts";
import { type Canvas, renderHeaded, renderIndented, renderPairs, renderParagraph } from "../base/canvas.ts";

/** One code, or one end of a series. */
export function renderCode(name: Code | SeriesEnd, canvas: Canvas): string {
  const entry = isCode(name) ? CODES[name] : SERIES_ENDS[name];
  const text = `${"verdict" in entry ? entry.verdict : "end of a series"}, exit status ${entry.exit}`;
  const lines = [
    ...renderHeaded({ head: `${name}:`, dressed: `${canvas.style("strong", name)}:`, text }, canvas),
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
    ...renderParagraph("Codes of a tick or a judgement, with exit status:", canvas),
    ...list(CODES),
    "",
    "Ends of a series, with exit status:",
    ...list(SERIES_ENDS),
    "",
  ].join("\n");
}
