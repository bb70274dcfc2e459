/** No card breaks a word, at any usual width, unless the word alone is wider than its room. */
import { describe, expect, test } from "vitest";
import { CODES, isCode } from "../../src/base/codes.ts";
import { renderCode, renderCodeList } from "../../src/cards/code-text.ts";
import { renderFailure } from "../../src/cards/failure-text.ts";
import { renderTickCard } from "../../src/cards/tick-card.ts";
import { renderHistoryShow } from "../../src/cards/history-show-text.ts";
import { renderSeriesCard } from "../../src/cards/series-card.ts";
import type { Canvas } from "../../src/base/canvas.ts";
import { measureDisplayWidth } from "../../src/base/wrap-text.ts";
import { plainStyle } from "../../src/base/style.ts";
import { ENDS, summaryOf } from "../support/summaries.ts";
import { reportOf, TICKS } from "../support/ticks.ts";

const codes = Object.keys(CODES).filter(isCode);
const reports = Object.values(TICKS).map((tick) => reportOf(tick));
const problems = ["src/a.ts is outside of the allowed paths, and nobody may change it in this task"];

const CARDS: Readonly<Record<string, (canvas: Canvas) => string>> = {
  "the cards of ticks": (canvas) => reports.map((report) => renderTickCard(report, canvas)).join(""),
  "history show": (canvas) =>
    reports.map((report) => renderHistoryShow(report, { ...canvas, isWhole: true, decision: null })).join(""),
  "the cards of series": (canvas) => ENDS.map((end) => renderSeriesCard(summaryOf(end), canvas)).join(""),
  failures: (canvas) =>
    codes.map((code) => renderFailure({ code, message: CODES[code].meaning, problems }, canvas)).join(""),
  explain: (canvas) => [...codes.map((code) => renderCode(code, canvas)), renderCodeList(canvas)].join(""),
};

/** Words, without line breaks, margins and the backslashes that continue a command. */
const words = (text: string) =>
  text
    .replaceAll(/ \\$/gm, "")
    .split(/[\s│]+/)
    .filter((word) => word !== "");

describe.for(Object.entries(CARDS))("%s", ([, render]) => {
  test.for([40, 60, 80])("at %i columns, lines fit and words stay whole", (columns) => {
    const wide = render({ style: plainStyle, columns: 10_000 });
    const text = render({ style: plainStyle, columns });
    const lines = text.split("\n");
    expect(lines.filter((line) => line !== line.trimEnd())).toEqual([]);
    const isLoose = (line: string) => measureDisplayWidth(line) > columns && line.trim().includes(" ");
    expect(lines.filter((line) => isLoose(line) && !/^ {2}(?:relais|git) /.test(line))).toEqual([]);
    const known = new Set(words(wide));
    const longest = columns - 18;
    const broken = words(text).filter((word) => !known.has(word));
    const whole = [...known].filter((word) => measureDisplayWidth(word) > longest).join(" ");
    expect(broken.filter((piece) => !whole.includes(piece))).toEqual([]);
  });
});
