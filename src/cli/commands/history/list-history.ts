import type { PastTick } from "../../../contract/answers/past-tick.ts";
import { renderHistoryList } from "../../../view/history/history-text.ts";
import { VERBOSE_HINT } from "../../../view/text/canvas.ts";
import { makeDocument, printAnswer } from "../../answers/print-answer.ts";
import type { CommandEnd, RunCommand, Session } from "../../framework/command.ts";
import { withPast } from "./with-past.ts";

const LISTED = 20;

export const listHistoryCommand: RunCommand = (_, session) =>
  withPast(session, ({ ticks }) => Promise.resolve(printList(ticks, session)));

function printList(ticks: readonly PastTick[], session: Session): CommandEnd {
  const shown = session.detail === "all" ? ticks : ticks.slice(0, LISTED);
  const hidden = ticks.length - shown.length;
  const more = hidden > 0 ? `and ${hidden} more${VERBOSE_HINT}\n` : "";
  const document = { ticks: ticks.map(makeTickDocument), total: ticks.length };
  return printAnswer({ document, text: () => `${renderHistoryList(shown, session)}${more}`, isAsked: true }, session);
}

const TICK_FIELDS = ["runId", "startedAt", "endedAt", "code", "intent", "action", "commit", "branch"] as const;

function makeTickDocument(tick: PastTick): object {
  return { ...makeDocument(tick, TICK_FIELDS), undone: tick.isUndone, running: tick.isRunning };
}
