import { acceptLast } from "../../../run/decisions/accept-last.ts";
import { renderAccepted } from "../../../view/history/decision-text.ts";
import type { RunCommand } from "../../framework/command.ts";
import { printFailure, printUnpublished } from "../../answers/refusal-answer.ts";
import { getCanvas } from "../../framework/session-canvas.ts";

/** `relais accept`. */
export const runAccept: RunCommand = async (_, session) => {
  const { cwd, environment, signal } = session;
  const answer = await acceptLast({ cwd, environment, signal });
  if (answer.kind !== "committed") return printFailure(answer, session);
  const { runId, commit, branch, isNewBranch, files, notes, problems } = answer;
  if (session.json) {
    const made = { commit, branch, is_new_branch: isNewBranch, files, notes, problems };
    session.out(`${JSON.stringify({ run_id: runId, ...made })}\n`);
  } else if (session.detail !== "quiet") session.out(renderAccepted(answer, getCanvas(session)));
  printUnpublished(problems, session);
  return { kind: "ended", status: 0 };
};
