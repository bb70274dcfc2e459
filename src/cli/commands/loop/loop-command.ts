import type { SeriesOptions } from "../../../contract/journal/series.ts";
import { relayLoop } from "../../../core/workflow/relay-loop.ts";
import { runSeries } from "../../../run/series/run-series.ts";
import type { RunCommand } from "../../framework/command.ts";
import type { Options } from "../../framework/option-spec.ts";
import { tellSeries } from "../../answers/series-answer.ts";
import { seriesSources } from "../../live/series-sources.ts";
import type { LoopOptions } from "./loop-spec.ts";

/** `relais loop`. */
export const run: RunCommand<LoopOptions> = async ({ options }, session) => {
  const answer = await runSeries({
    ...seriesSources(session, "loop"),
    options: seriesOptions(options),
    isNew: options.flag("new"),
    workflow: relayLoop,
  });
  session.stage.clear();
  return tellSeries(answer, session);
};

function seriesOptions(options: Options<LoopOptions>): SeriesOptions {
  const mode = options.choice("mode") ?? "milestone";
  return { command: "loop", mode, max_ticks: options.number("max-ticks") };
}
