/** The commands to continue a series, and to start another one of its kind. */
import type { SeriesOptions } from "../../contract/journal/series.ts";
import { neutralise } from "../text/neutralise.ts";

type Asked = Pick<SeriesOptions, "command" | "mode">;

/** The command that ran the series, and that continues it. */
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
