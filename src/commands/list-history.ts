import type { PastTick } from "../records/status-answers.ts";
import { foldShared, RECENT_TICKS } from "../records/folded-lines.ts";
import { recallNewestTicks, type TickPage } from "../history/past-ticks.ts";
import { GivenBackFold } from "../journal/pure/given-back.ts";
import { renderGivenBack, renderHistoryList } from "../cards/history-text.ts";
import { VERBOSE_HINT } from "../base/canvas.ts";
import { makeDocument, printAnswer } from "../terminal/print-answer.ts";
import type { CommandEnd, RunCommand, Session } from "../terminal/command.ts";
import { withPast } from "./with-past.ts";

const LISTED = RECENT_TICKS;

/** What is shown of a long history is in the summary of its journal. */
export const listHistoryCommand: RunCommand = async (_, session) => {
  const page = session.json || session.detail === "all" ? null : await recallNewestTicks(session);
  if (page !== null && page.ticks.length >= LISTED) return printList(page, session);
  return withPast(session, async ({ ticks, around: { lines } }) => {
    const agents = foldShared(lines).fold(GivenBackFold).list();
    return printList({ ticks, total: ticks.length, agents }, session);
  });
};

function printList({ ticks, total, agents }: TickPage, session: Session): CommandEnd {
  const shown = session.detail === "all" ? ticks : ticks.slice(0, LISTED);
  const hidden = total - shown.length;
  const more = hidden > 0 ? `and ${hidden} more${VERBOSE_HINT}\n` : "";
  const document = {
    ticks: ticks.map(makeTickDocument),
    total,
    agents: agents.map((one) => makeDocument(one, ["agent", "sessions", "gaveUp"])),
  };
  const text = () => `${renderHistoryList(shown, session)}${more}${renderGivenBack(agents)}`;
  return printAnswer({ document, text, isAsked: true }, session);
}

const TICK_FIELDS = ["runId", "startedAt", "endedAt", "code", "intent", "action", "commit", "branch"] as const;

function makeTickDocument(tick: PastTick): object {
  return { ...makeDocument(tick, TICK_FIELDS), undone: tick.isUndone, running: tick.isRunning };
}
