import { undoLast } from "../../../run/decisions/undo-last.ts";
import { renderUndone } from "../../../view/history/decision-text.ts";
import type { RunCommand } from "../../framework/command.ts";
import { printFailure, printUnpublished } from "../../answers/refusal-answer.ts";
import { getCanvas } from "../../framework/session-canvas.ts";

/** `relais undo`. */
export const runUndo: RunCommand = async (_, session) => {
  const { cwd, environment, signal } = session;
  const answer = await undoLast({ cwd, environment, signal });
  if (answer.kind !== "undone") return printFailure(answer, session);
  const { runId, commit, branch, beganOn, paths, besides, notBack, problems } = answer;
  const document = { run_id: runId, commit, branch, began_on: beganOn, paths, besides, not_back: notBack };
  if (session.json) session.out(`${JSON.stringify({ ...document, problems })}\n`);
  else if (session.detail !== "quiet") session.out(renderUndone(answer, getCanvas(session)));
  printUnpublished(problems, session);
  return { kind: "ended", status: 0 };
};
