import { withdrawPause } from "../../../run/decisions/pause-runner.ts";
import { renderResumed } from "../../../view/history/runner-text.ts";
import { makeDocument, printAnswer } from "../../answers/print-answer.ts";
import { printFailure } from "../../answers/refusal-answer.ts";
import type { RunCommand } from "../../framework/command.ts";

export const runResume: RunCommand = async (_, session) => {
  const answer = await withdrawPause(session);
  if (answer.kind !== "resumed") return printFailure(answer, session);
  const document = makeDocument(answer, ["runId", "pid", "command"]);
  return printAnswer({ document, text: () => renderResumed(answer, session) }, session);
};
