import type { SeriesOptions } from "../records/series.ts";
import { makeRelayLoop } from "../workflows/pure/relay.ts";
import { runSeries } from "../workflows/run-series.ts";
import type { RunCommand } from "../terminal/command.ts";
import type { Options } from "../terminal/option-spec.ts";
import { makeRound } from "../jobs/run-attempts.ts";
import { readRunAttempt } from "../jobs/read-run-attempt.ts";
import { parseChoices, writeRecorded } from "../terminal/choice-options.ts";
import { printSeries } from "../terminal/series-answer.ts";
import { makeSeriesSources } from "../terminal/live.ts";
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
    makeRound: (choices) =>
      makeRound({
        relais: session.relais,
        read: readRunAttempt,
        makeArguments: (file) => ["run", `--task=${file}`, ...writeRecorded(choices), "--json"],
      }),
  });
  session.stage.clear();
  return printSeries(answer, session);
};

function makeSeriesOptions(options: Options<LoopOptions>): SeriesOptions {
  const mode = options.choice("mode") ?? "milestone";
  const parallel = options.number("parallel");
  return {
    command: "loop",
    mode,
    max_ticks: options.number("max-ticks"),
    ...(parallel === null ? {} : { parallel }),
  };
}
