import type { SeriesOptions } from "../../../contract/journal/series.ts";
import { relayLoop } from "../../../core/workflow/relay-loop.ts";
import { runSeries } from "../../../run/series/run-series.ts";
import type { OptionValues } from "../../framework/arguments.ts";
import type { CommandEnd, RunCommand } from "../../framework/command.ts";
import { tellSeries } from "../../answers/series-answer.ts";
import { seriesSources } from "../../live/series-sources.ts";

/** `relais loop`. */
export const run: RunCommand = async ({ options }, session) => {
  const asked = optionsOf(options);
  if ("kind" in asked) return asked;
  const answer = await runSeries({
    ...seriesSources(session, "loop"),
    options: asked,
    isNew: options.flag("new"),
    workflow: relayLoop,
  });
  session.stage.clear();
  return tellSeries(answer, session);
};

type Misused = Extract<CommandEnd, { kind: "misused" }>;

function optionsOf(options: OptionValues): SeriesOptions | Misused {
  const mode = options.text("mode") ?? "milestone";
  const limit = options.text("max-ticks");
  if (mode !== "milestone" && mode !== "autonomous")
    return misused(`--mode is milestone or autonomous, not "${mode}"`);
  if (limit !== null && !/^[1-9]\d{0,8}$/.test(limit))
    return misused(`--max-ticks is a number of 1 or more, not "${limit}"`);
  return { command: "loop", mode, max_ticks: limit === null ? null : Number(limit) };
}

function misused(message: string): Misused {
  return { kind: "misused", message, problems: [] };
}
