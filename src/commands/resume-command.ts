import { withdrawPause } from "../workspace/pause-runner.ts";
import { renderResumed } from "../cards/runner-text.ts";
import { makeDocument, printAnswer } from "../terminal/print-answer.ts";
import { printFailure } from "../terminal/refusal-answer.ts";
import type { RunCommand } from "../terminal/command.ts";

export const runResume: RunCommand = async (_, session) => {
  const answer = await withdrawPause(session);
  if (answer.kind !== "resumed") return printFailure(answer, session);
  const document = makeDocument(answer, ["runId", "pid", "command"]);
  return printAnswer({ document, text: () => renderResumed(answer, session) }, session);
};
