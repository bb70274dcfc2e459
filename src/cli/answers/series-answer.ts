import { unreachable } from "../../contract/values/invariant.ts";
import type { SeriesAnswer } from "../../run/series/run-series.ts";
import { seriesCard } from "../../view/series/series-card.ts";
import type { CommandEnd, Session } from "../framework/command.ts";
import { tellUnpublished } from "./refusal-answer.ts";
import { canvasOf } from "../framework/session-canvas.ts";
import { lockFailure, tellBlocked } from "./tick-answer.ts";

/** Prints how a series ended and answers with its status. */
export function tellSeries(answer: SeriesAnswer, session: Session): CommandEnd {
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
