import type { SeriesWatch } from "../workflows/series-loop.ts";
import { renderBeginning, renderTickLine, renderWait } from "../cards/series-text.ts";
import type { Session } from "./command.ts";
import { printUnpublished } from "./print-answer.ts";
import { printWarning } from "./refusal-answer.ts";

/** Prints the progress of a series, for people or as JSON lines. A live view shows the waits itself. */
export function makeSeriesWatch(session: Session, isDrawn: boolean): SeriesWatch {
  const { json, detail } = session;
  const isSilent = json || detail === "quiet";
  // A log keeps each tick on one line, however long that is.
  const canvas = { ...session, columns: session.isTerminal ? session.columns : Infinity };
  let told: string | null = null;
  return {
    begun: (series) => {
      if (!isSilent) session.out(renderBeginning(series));
    },
    ticked: ({ report, problems }) => {
      told = null;
      if (json) session.out(`${JSON.stringify(report)}\n`);
      else if (!isSilent) session.out(renderTickLine(report, canvas));
      printUnpublished(problems, session);
    },
    warned: (warning) => printWarning(warning, session),
    waiting: (pause) => {
      if (!isDrawn && told !== pause.until && detail !== "quiet") session.err(`${renderWait(pause)}\n`);
      told = pause.until;
    },
  };
}
