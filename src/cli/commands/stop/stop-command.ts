import { stopRunner } from "../../../run/decisions/stop-runner.ts";
import { renderStopped } from "../../../view/history/runner-text.ts";
import { makeDocument, printAnswer } from "../../answers/print-answer.ts";
import { printFailure } from "../../answers/refusal-answer.ts";
import type { RunCommand } from "../../framework/command.ts";

export const runStop: RunCommand = async (_, session) => {
  const answer = await stopRunner(session);
  if (answer.kind !== "stopped") return printFailure(answer, session);
  const document = makeDocument(answer, ["runId", "pid", "command", "salvage"]);
  return printAnswer({ document, text: () => renderStopped(answer, session) }, session);
};
