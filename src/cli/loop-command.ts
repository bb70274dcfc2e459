import { unreachable } from "../contract/invariant.ts";
import type { SeriesOptions } from "../contract/series.ts";
import { relayLoop } from "../core/workflow/relay-loop.ts";
import { runSeries, type SeriesAnswer } from "../run/run-series.ts";
import { SCRIPTED_ARGUMENT } from "../run/scripted-session.ts";
import { reportMarkdown } from "../view/report-markdown.ts";
import { seriesCard } from "../view/series-text.ts";
import type { OptionValues } from "./arguments.ts";
import type { CommandEnd, RunCommand, Session } from "./command.ts";
import { tellUnpublished } from "./refusal-answer.ts";
import { seriesWatch } from "./series-watch.ts";
import { canvasOf } from "./session-canvas.ts";
import { lockFailure, tellBlocked } from "./tick-answer.ts";
import { version } from "./version.ts";

/** `relais loop`. */
export const run: RunCommand = async ({ options }, session) => {
  const asked = optionsOf(options);
  if ("kind" in asked) return asked;
  const answer = await runSeries({
    cwd: session.cwd,
    environment: process.env,
    signal: session.signal,
    relaisVersion: version(),
    player: [process.execPath, process.argv[1] ?? "", SCRIPTED_ARGUMENT],
    renderReport: (report, maxChars) => reportMarkdown(report, { maxChars }),
    options: asked,
    isNew: options.flag("new"),
    workflow: relayLoop,
    watch: seriesWatch(session),
  });
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

function tellSeries(answer: SeriesAnswer, session: Session): CommandEnd {
  switch (answer.kind) {
    case "series": {
      const { summary, problems } = answer;
      if (session.json) session.out(`${JSON.stringify(summary)}\n`);
      else if (session.detail !== "quiet" || summary.exit_status !== 0)
        session.out(seriesCard(summary, canvasOf(session)));
      tellUnpublished(problems, session);
      return { kind: "ended", status: summary.exit_status };
    }
    case "blocked":
      return tellBlocked(answer, session);
    case "busy":
    case "corrupt":
      return tellBlocked(lockFailure(answer), session);
    default:
      return unreachable(answer);
  }
}
