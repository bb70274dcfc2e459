import { acceptRun } from "../decide/decide-asked.ts";
import { acceptChange, printAccepted, printAskedDecision } from "../terminal/decision-answer.ts";
import { acceptHeldChange } from "../terminal/held-answer.ts";
import { printFailure } from "../terminal/refusal-answer.ts";
import { refuseMisuse, type RunCommand } from "../terminal/command.ts";
import type { AcceptOptions } from "./accept-spec.ts";
import { parseReason } from "./reject-command.ts";

export const runAccept: RunCommand<AcceptOptions> = async ({ positionals: [run], options }, session) => {
  const reason = parseReason(options.text("reason"));
  if (typeof reason === "object" && reason !== null) return reason;
  if (run === undefined)
    return reason === null ? acceptChange(session) : refuseMisuse("--reason needs the id of a held change");
  const held = await acceptHeldChange({ run, reason }, session);
  if (held !== null) return held;
  const answer = await acceptRun(session, run);
  if (answer.kind === "misused") return answer;
  if (answer.kind === "decided") return printAskedDecision(answer, session);
  return answer.kind === "committed" ? printAccepted(answer, session) : printFailure(answer, session);
};
