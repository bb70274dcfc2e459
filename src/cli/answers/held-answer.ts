import type { HeldDecision } from "../../contract/answers/decisions.ts";
import { renderHeldDecision } from "../../view/history/runner-text.ts";
import type { CommandEnd, Session } from "../framework/command.ts";
import { makeDocument, printAnswer } from "./print-answer.ts";

/** Prints what became of a decision about a change in another terminal. */
export function printHeldDecision(answer: HeldDecision, session: Session): CommandEnd {
  const document = makeDocument(answer, ["runId", "decision", "message"]);
  return printAnswer({ document, text: () => renderHeldDecision(answer, session) }, session);
}
