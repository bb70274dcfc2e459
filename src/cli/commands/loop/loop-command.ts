import type { SeriesOptions } from "../../../contract/journal/series.ts";
import { makeRelayLoop } from "../../../core/workflow/relay.ts";
import { runSeries } from "../../../run/series/run-series.ts";
import type { RunCommand } from "../../framework/command.ts";
import type { Options } from "../../framework/option-spec.ts";
import { parseChoices } from "../../answers/choice-options.ts";
import { printSeries } from "../../answers/series-answer.ts";
import { makeSeriesSources } from "../../live/live.ts";
import type { LoopOptions } from "./loop-spec.ts";

export const runLoop: RunCommand<LoopOptions> = async ({ options }, session) => {
  const parsed = parseChoices(options);
  if (parsed.kind === "misused") return parsed;
  const answer = await runSeries({
    ...makeSeriesSources(session, "loop"),
    options: makeSeriesOptions(options),
    isNew: options.flag("new"),
    choices: parsed.choices,
    workflow: makeRelayLoop,
  });
  session.stage.clear();
  return printSeries(answer, session);
};

function makeSeriesOptions(options: Options<LoopOptions>): SeriesOptions {
  const mode = options.choice("mode") ?? "milestone";
  return { command: "loop", mode, max_ticks: options.number("max-ticks") };
}
