/** A series that is not over: which one, how to go on with it, and how to begin another. */
import type { LastSeries } from "../../contract/journal/series.ts";
import { type Canvas, marked, type NextStep } from "../text/canvas.ts";
import { neutralise } from "../text/neutralise.ts";
import { anotherSeriesCommand, seriesCommand } from "./series-commands.ts";

/** One line for each of them. */
export function openSeriesLines(list: readonly LastSeries[], canvas: Canvas): readonly string[] {
  return list.flatMap((series, index) => {
    const { seriesId, branch } = series;
    const commits = branch === null ? "" : `; its commits are on ${neutralise(branch)}`;
    const text = `${seriesId} of \`${seriesCommand(series.options)}\` ${wordsOf(series)}${commits}`;
    return marked(index === 0 ? "series" : "", { mark: "…", tone: "strong", text }, canvas);
  });
}

function wordsOf({ end }: LastSeries): string {
  if (end === "needs_human") return "stopped for a person";
  return end === "interrupted" ? "was interrupted" : "was cut short";
}

/** What to type about the newest of them; nothing where there is none. */
export function openSeriesSteps(list: readonly LastSeries[], branch: string | null): readonly NextStep[] {
  const series = list.at(-1);
  if (series === undefined) return [];
  const another = anotherSeriesCommand(series.options);
  const isElsewhere = series.branch !== null && series.branch !== branch;
  return [
    ...(isElsewhere
      ? [{ command: `git switch ${neutralise(series.branch ?? "")}`, explains: "where its commits are" }]
      : []),
    { command: seriesCommand(series.options), explains: "go on with the series" },
    ...(another === null ? [] : [{ command: another, explains: "begin another one" }]),
  ];
}
