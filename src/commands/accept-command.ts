import { acceptRun } from "../decide/decide-held.ts";
import { acceptChange, printAccepted } from "../terminal/decision-answer.ts";
import { printHeldDecision } from "../terminal/decision-answer.ts";
import { printFailure } from "../terminal/refusal-answer.ts";
import type { RunCommand } from "../terminal/command.ts";

export const runAccept: RunCommand = async ({ positionals: [run] }, session) => {
  if (run === undefined) return acceptChange(session);
  const answer = await acceptRun(session, run);
  if (answer.kind === "misused") return answer;
  if (answer.kind === "decided") return printHeldDecision(answer, session);
  return answer.kind === "committed" ? printAccepted(answer, session) : printFailure(answer, session);
};
