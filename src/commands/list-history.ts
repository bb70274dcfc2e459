import type { PastTick } from "../records/status-answers.ts";
import { RECENT_TICKS } from "../records/folded-lines.ts";
import { recallNewestTicks } from "../history/past-ticks.ts";
import { renderHistoryList } from "../cards/history-text.ts";
import { VERBOSE_HINT } from "../base/canvas.ts";
import { makeDocument, printAnswer } from "../terminal/print-answer.ts";
import type { CommandEnd, RunCommand, Session } from "../terminal/command.ts";
import { withPast } from "./with-past.ts";

const LISTED = RECENT_TICKS;

/** What is shown of a long history is in the summary of its journal. */
export const listHistoryCommand: RunCommand = async (_, session) => {
  const page = session.json || session.detail === "all" ? null : await recallNewestTicks(session);
  if (page !== null && page.ticks.length >= LISTED) return printList(page, session);
  return withPast(session, ({ ticks }) => Promise.resolve(printList({ ticks, total: ticks.length }, session)));
};

interface ListedTicks {
  readonly ticks: readonly PastTick[];
  readonly total: number;
}

function printList({ ticks, total }: ListedTicks, session: Session): CommandEnd {
  const shown = session.detail === "all" ? ticks : ticks.slice(0, LISTED);
  const hidden = total - shown.length;
  const more = hidden > 0 ? `and ${hidden} more${VERBOSE_HINT}\n` : "";
  const document = { ticks: ticks.map(makeTickDocument), total };
  return printAnswer({ document, text: () => `${renderHistoryList(shown, session)}${more}`, isAsked: true }, session);
}

const TICK_FIELDS = ["runId", "startedAt", "endedAt", "code", "intent", "action", "commit", "branch"] as const;

function makeTickDocument(tick: PastTick): object {
  return { ...makeDocument(tick, TICK_FIELDS), undone: tick.isUndone, running: tick.isRunning };
}
