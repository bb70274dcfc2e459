import { requestPause } from "../../../run/decisions/pause-runner.ts";
import { renderPaused } from "../../../view/history/runner-text.ts";
import { makeDocument, printAnswer } from "../../answers/print-answer.ts";
import { printFailure } from "../../answers/refusal-answer.ts";
import type { RunCommand } from "../../framework/command.ts";

export const runPause: RunCommand = async (_, session) => {
  const answer = await requestPause(session);
  if (answer.kind !== "pausing") return printFailure(answer, session);
  const document = makeDocument(answer, ["runId", "pid", "command"]);
  return printAnswer({ document, text: () => renderPaused(answer, session) }, session);
};
