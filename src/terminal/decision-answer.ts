import type { AcceptedChange, AskedDecision } from "../records/decisions.ts";
import { type AcceptRequest, acceptLast } from "../decide/accept-last.ts";
import { undoLast } from "../decide/undo-last.ts";
import { renderAccepted, renderUndone } from "../cards/decision-text.ts";
import type { CommandEnd, Session, Keyboard } from "./command.ts";
import { makeDocument, printAnswer } from "./print-answer.ts";
import { printFailure } from "./refusal-answer.ts";
import { renderAskedDecision } from "../cards/runner-text.ts";

/** Commits the change of the last kept tick. */
export async function acceptChange(
  session: Session,
  message: Pick<AcceptRequest, "message"> = {},
): Promise<CommandEnd> {
  const answer = await acceptLast({ ...session, ...message });
  return answer.kind === "committed" ? printAccepted(answer, session) : printFailure(answer, session);
}

export function printAccepted(answer: AcceptedChange, session: Session): CommandEnd {
  const { problems } = answer;
  const document = makeDocument(answer, ["runId", "commit", "branch", "files", "notes", "problems"]);
  return printAnswer({ document, text: () => renderAccepted(answer, session), problems }, session);
}

/** Undoes the change of the last kept tick. */
export async function undoChange(session: Session): Promise<CommandEnd> {
  const answer = await undoLast(session);
  if (answer.kind !== "undone") return printFailure(answer, session);
  const { problems } = answer;
  const names = ["runId", "commit", "branch", "beganOn", "paths", "besides", "notBack", "problems"] as const;
  const document = makeDocument(answer, names);
  return printAnswer({ document, text: () => renderUndone(answer, session), problems }, session);
}

/** Asks with one key; every other key than `y` means no. */
export function askYes(
  question: string,
  keyboard: Keyboard,
  { out, signal }: Pick<Session, "out" | "signal">,
): Promise<boolean> {
  out(`${question} (y/N) `);
  return new Promise((resolve) => {
    const answer = (isWanted: boolean): void => {
      close();
      out(`${isWanted ? "yes" : "no"}\n`);
      resolve(isWanted);
    };
    const close = keyboard.listen({
      onKey: (key) => answer(key.toLowerCase() === "y"),
      onLeave: () => answer(false),
    });
    signal.addEventListener("abort", () => answer(false), { once: true });
  });
}

/** Prints what became of a decision about a change in another terminal. */
export function printAskedDecision(answer: AskedDecision, session: Session): CommandEnd {
  const document = makeDocument(answer, ["runId", "decision", "message"]);
  return printAnswer({ document, text: () => renderAskedDecision(answer, session) }, session);
}
