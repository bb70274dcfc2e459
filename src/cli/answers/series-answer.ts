import { unreachable } from "../../contract/values/invariant.ts";
import type { SeriesAnswer } from "../../run/series/run-series.ts";
import { renderSeriesCard } from "../../view/series/series-card.ts";
import type { CommandEnd, Session } from "../framework/command.ts";
import { printFailure, printUnpublished } from "./refusal-answer.ts";
import { getCanvas } from "../framework/session-canvas.ts";

/** Prints how a series ended and answers with its status. */
export function printSeries(answer: SeriesAnswer, session: Session): CommandEnd {
  switch (answer.kind) {
    case "series": {
      const { summary, problems } = answer;
      if (session.json) session.out(`${JSON.stringify(summary)}\n`);
      else if (session.detail !== "quiet" || summary.exit_status !== 0)
        session.out(renderSeriesCard(summary, getCanvas(session)));
      printUnpublished(problems, session);
      return { kind: "ended", status: summary.exit_status };
    }
    case "blocked":
    case "refused":
      return printFailure(answer, session);
    default:
      return unreachable(answer);
  }
}
