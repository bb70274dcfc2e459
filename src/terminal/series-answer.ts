import type { SeriesAnswer } from "../workflows/run-series.ts";
import { renderSeriesCard } from "../cards/series-card.ts";
import type { CommandEnd, Session } from "./command.ts";
import { printAnswer } from "./print-answer.ts";
import { printFailure } from "./refusal-answer.ts";

export function printSeries(answer: SeriesAnswer, session: Session): CommandEnd {
  if (answer.kind === "misused") return answer;
  if (answer.kind !== "series") return printFailure(answer, session);
  const { summary, problems } = answer;
  const status = summary.exit_status;
  return printAnswer({ document: summary, text: () => renderSeriesCard(summary, session), status, problems }, session);
}
