import { acceptLast } from "../../../run/decisions/accept-last.ts";
import { acceptRun } from "../../../run/decisions/decide-held.ts";
import { renderAccepted } from "../../../view/history/decision-text.ts";
import { printHeldDecision } from "../../answers/held-answer.ts";
import type { RunCommand } from "../../framework/command.ts";
import { makeDocument, printAnswer } from "../../answers/print-answer.ts";
import { printFailure } from "../../answers/refusal-answer.ts";

export const runAccept: RunCommand = async ({ positionals: [run] }, session) => {
  const answer = run === undefined ? await acceptLast(session) : await acceptRun(session, run);
  if (answer.kind === "misused") return answer;
  if (answer.kind === "decided") return printHeldDecision(answer, session);
  if (answer.kind !== "committed") return printFailure(answer, session);
  const { problems } = answer;
  const document = makeDocument(answer, ["runId", "commit", "branch", "isNewBranch", "files", "notes", "problems"]);
  return printAnswer({ document, text: () => renderAccepted(answer, session), problems }, session);
};
