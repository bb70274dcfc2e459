import { undoLast } from "../../../run/decisions/undo-last.ts";
import { renderUndone } from "../../../view/history/decision-text.ts";
import type { RunCommand } from "../../framework/command.ts";
import { makeDocument, printAnswer } from "../../answers/print-answer.ts";
import { printFailure } from "../../answers/refusal-answer.ts";

export const runUndo: RunCommand = async (_, session) => {
  const answer = await undoLast(session);
  if (answer.kind !== "undone") return printFailure(answer, session);
  const { problems } = answer;
  const names = ["runId", "commit", "branch", "beganOn", "paths", "besides", "notBack", "problems"] as const;
  const document = makeDocument(answer, names);
  return printAnswer({ document, text: () => renderUndone(answer, session), problems }, session);
};
