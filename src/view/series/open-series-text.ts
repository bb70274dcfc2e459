/** An unfinished series: its name, and the commands to continue it or to start a new one. */
import type { LastSeries } from "../../contract/journal/series.ts";
import { type Canvas, renderMarked, type NextStep } from "../text/canvas.ts";
import { neutralise } from "../text/neutralise.ts";
import { renderAnotherSeriesCommand, renderSeriesCommand } from "./series-commands.ts";

/** One line for each of them. */
export function openSeriesLines(list: readonly LastSeries[], canvas: Canvas): readonly string[] {
  return list.flatMap((series, index) => {
    const { seriesId, branch } = series;
    const commits = branch === null ? "" : `; its commits are on ${neutralise(branch)}`;
    const text = `${seriesId} of \`${renderSeriesCommand(series.options)}\` ${wordsOf(series)}${commits}`;
    return renderMarked(index === 0 ? "series" : "", { mark: "…", tone: "strong", text }, canvas);
  });
}

function wordsOf({ end }: LastSeries): string {
  if (end === "needs_human") return "needs your answer";
  return end === "interrupted" ? "was interrupted" : "was killed";
}

/** What to type about the newest of them; nothing where there is none. */
export function openSeriesSteps(list: readonly LastSeries[], branch: string | null): readonly NextStep[] {
  const series = list.at(-1);
  if (series === undefined) return [];
  const another = renderAnotherSeriesCommand(series.options);
  const isElsewhere = series.branch !== null && series.branch !== branch;
  return [
    ...(isElsewhere
      ? [{ command: `git switch ${neutralise(series.branch ?? "")}`, explains: "the branch of its commits" }]
      : []),
    { command: renderSeriesCommand(series.options), explains: "continue the series" },
    ...(another === null ? [] : [{ command: another, explains: "start a new one" }]),
  ];
}
