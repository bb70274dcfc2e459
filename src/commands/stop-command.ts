import { stopRunner } from "../workspace/stop-runner.ts";
import { renderStopped } from "../cards/runner-text.ts";
import { makeDocument, printAnswer } from "../terminal/print-answer.ts";
import { printFailure } from "../terminal/refusal-answer.ts";
import type { RunCommand } from "../terminal/command.ts";

export const runStop: RunCommand = async (_, session) => {
  const answer = await stopRunner(session);
  if (answer.kind !== "stopped") return printFailure(answer, session);
  const document = makeDocument(answer, ["runId", "pid", "command", "salvage"]);
  return printAnswer({ document, text: () => renderStopped(answer, session) }, session);
};
