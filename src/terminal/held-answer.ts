import type { HeldDecision } from "../records/decisions.ts";
import { renderHeldDecision } from "../cards/runner-text.ts";
import type { CommandEnd, Session } from "./command.ts";
import { makeDocument, printAnswer } from "./print-answer.ts";

/** Prints what became of a decision about a change in another terminal. */
export function printHeldDecision(answer: HeldDecision, session: Session): CommandEnd {
  const document = makeDocument(answer, ["runId", "decision", "message"]);
  return printAnswer({ document, text: () => renderHeldDecision(answer, session) }, session);
}
