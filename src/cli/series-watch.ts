import type { SeriesWatch } from "../run/series-sitting.ts";
import { beginningText, tickLine, waitText } from "../view/series-text.ts";
import type { Session } from "./command.ts";
import { tellUnpublished, tellWarning } from "./refusal-answer.ts";
import { canvasOf } from "./session-canvas.ts";

/** Back to the beginning of the line, and everything on it gone. */
const ERASE_LINE = "\r\u001B[2K";

/** Tells a person, or a script line by line, what a series does. The countdown of a wait stays on one line. */
export function seriesWatch(session: Session): SeriesWatch {
  const { json, detail, isTerminal } = session;
  const isSilent = json || detail === "quiet";
  let told: number | null = null;
  return {
    begun: (series) => {
      if (!isSilent) session.out(beginningText(series));
    },
    ticked: ({ report, problems }) => {
      if (told !== null && isTerminal && !isSilent) session.out(ERASE_LINE);
      told = null;
      if (json) session.out(`${JSON.stringify(report)}\n`);
      else if (!isSilent) session.out(tickLine(report, canvasOf(session)));
      tellUnpublished(problems, session);
    },
    warned: (warning) => tellWarning(warning, session),
    waiting: ({ leftMs, untilMs }) => {
      const until = new Date(untilMs).toISOString();
      if (isTerminal && !isSilent) session.out(`${ERASE_LINE}${waitText({ until, leftMs })}`);
      else if (told !== untilMs && detail !== "quiet") session.err(`${waitText({ until, leftMs })}\n`);
      told = untilMs;
    },
  };
}
