/** Unfinished series, and the commands to continue one or to start another of its kind. */
import type { LastSeries, SeriesOptions } from "../records/series.ts";
import { type Fact, makeStep, type NextStep, PENDING } from "../base/canvas.ts";
import { neutralise } from "../base/style.ts";

type Asked = Pick<SeriesOptions, "command" | "mode">;

export function renderSeriesCommand({ command, mode }: Asked): string {
  if (command === "goal") return "relais goal resume";
  if (command === "tree") return "relais tree run";
  // A campaign is known by its name, which stands behind the action.
  const line = neutralise(command).replace(/^campaign /, "campaign run ");
  return `relais ${line}${mode === "autonomous" ? " --mode autonomous" : ""}`;
}

/** The command to start another one; null for a campaign, because its name stays taken. */
export function renderAnotherSeriesCommand(asked: Asked): string | null {
  if (asked.command === "goal") return 'relais goal "..."';
  return asked.command.startsWith("campaign ") ? null : `${renderSeriesCommand(asked)} --new`;
}

const STATES: Readonly<Record<string, string>> = {
  needs_human: "needs your answer",
  paused: "is paused",
  killed: "was killed",
};

export function listOpenSeries(list: readonly LastSeries[]): readonly Fact[] {
  return list.map(({ seriesId, branch, options, end }) => {
    const state = STATES[end ?? "killed"] ?? "was interrupted";
    const commits = branch === null ? "" : `; its commits are on ${neutralise(branch)}`;
    return ["series", { ...PENDING, text: `${seriesId} of \`${renderSeriesCommand(options)}\` ${state}${commits}` }];
  });
}

/** What to type about the newest of them; nothing where there is none. */
export function listOpenSeriesSteps(list: readonly LastSeries[], branch: string | null): readonly NextStep[] {
  const series = list.at(-1);
  if (series === undefined) return [];
  const another = renderAnotherSeriesCommand(series.options);
  const away = series.branch === branch ? null : series.branch;
  return [
    ...(away === null ? [] : [makeStep(`git switch ${neutralise(away)}`, "the branch of its commits")]),
    makeStep(renderSeriesCommand(series.options), "continue the series"),
    ...(another === null ? [] : [makeStep(another, "start a new one")]),
  ];
}
