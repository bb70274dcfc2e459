import { rejectRun } from "../decide/decide-held.ts";
import { printHeldDecision } from "../terminal/decision-answer.ts";
import { printFailure } from "../terminal/refusal-answer.ts";
import { refuseMisuse, type RunCommand } from "../terminal/command.ts";
import type { RejectOptions } from "./reject-spec.ts";

const REASON_CHARS = 4000;

export const runReject: RunCommand<RejectOptions> = async ({ positionals: [run], options }, session) => {
  if (run === undefined) return refuseMisuse("reject needs the id of a tick; `relais status` shows the one that waits");
  const reason = options.text("reason");
  if (reason !== null && reason.length > REASON_CHARS)
    return refuseMisuse(`a reason has ${REASON_CHARS} characters at most`);
  const answer = await rejectRun(session, { run, reason: reason?.trim() === "" ? null : reason });
  if (answer.kind === "misused") return answer;
  return answer.kind === "decided" ? printHeldDecision(answer, session) : printFailure(answer, session);
};
