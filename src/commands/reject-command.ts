import { rejectRun } from "../decide/decide-asked.ts";
import { printAskedDecision } from "../terminal/decision-answer.ts";
import { rejectHeldChange } from "../terminal/held-answer.ts";
import { printFailure } from "../terminal/refusal-answer.ts";
import { type Misused, refuseMisuse, type RunCommand } from "../terminal/command.ts";
import { refuseToAgent } from "../workspace/own-environment.ts";
import type { RejectOptions } from "./reject-spec.ts";

const REASON_CHARS = 4000;

export const runReject: RunCommand<RejectOptions> = async ({ positionals: [run], options }, session) => {
  if (run === undefined) return refuseMisuse("reject needs the id of a tick; `relais status` shows the one that waits");
  const reason = parseReason(options.text("reason"));
  if (typeof reason === "object" && reason !== null) return reason;
  const refusal = refuseToAgent(`relais reject ${run}`, session);
  if (refusal !== null) return printFailure(refusal, session);
  const held = await rejectHeldChange({ run, reason }, session);
  if (held !== null) return held;
  const answer = await rejectRun(session, { run, reason });
  if (answer.kind === "misused") return answer;
  return answer.kind === "decided" ? printAskedDecision(answer, session) : printFailure(answer, session);
};

/** Why a person decides so; null where nothing is said. */
export function parseReason(given: string | null): string | null | Misused {
  if (given !== null && given.length > REASON_CHARS)
    return refuseMisuse(`a reason has ${REASON_CHARS} characters at most`);
  return given?.trim() === "" ? null : given;
}
