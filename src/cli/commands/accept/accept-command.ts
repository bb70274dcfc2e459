import { acceptRun } from "../../../run/decisions/decide-held.ts";
import { acceptChange, printAccepted } from "../../answers/decision-answer.ts";
import { printHeldDecision } from "../../answers/held-answer.ts";
import { printFailure } from "../../answers/refusal-answer.ts";
import type { RunCommand } from "../../framework/command.ts";

export const runAccept: RunCommand = async ({ positionals: [run] }, session) => {
  if (run === undefined) return acceptChange(session);
  const answer = await acceptRun(session, run);
  if (answer.kind === "misused") return answer;
  if (answer.kind === "decided") return printHeldDecision(answer, session);
  return answer.kind === "committed" ? printAccepted(answer, session) : printFailure(answer, session);
};
