import { acceptLast } from "../../../run/decisions/accept-last.ts";
import { renderAccepted } from "../../../view/history/decision-text.ts";
import type { RunCommand } from "../../framework/command.ts";
import { makeDocument, printAnswer } from "../../answers/print-answer.ts";
import { printFailure } from "../../answers/refusal-answer.ts";

export const runAccept: RunCommand = async (_, session) => {
  const answer = await acceptLast(session);
  if (answer.kind !== "committed") return printFailure(answer, session);
  const { problems } = answer;
  const document = makeDocument(answer, ["runId", "commit", "branch", "isNewBranch", "files", "notes", "problems"]);
  return printAnswer({ document, text: () => renderAccepted(answer, session), problems }, session);
};
