import { requestPause } from "../workspace/pause-runner.ts";
import { renderPaused } from "../cards/runner-text.ts";
import { makeDocument, printAnswer } from "../terminal/print-answer.ts";
import { printFailure } from "../terminal/refusal-answer.ts";
import type { RunCommand } from "../terminal/command.ts";

export const runPause: RunCommand = async (_, session) => {
  const answer = await requestPause(session);
  if (answer.kind !== "pausing") return printFailure(answer, session);
  const document = makeDocument(answer, ["runId", "pid", "command"]);
  return printAnswer({ document, text: () => renderPaused(answer, session) }, session);
};
