/** Prints why a command failed, for people or as JSON. */
import { CODES } from "../base/codes.ts";
import type { CommandFailure, NotReady, Refusal } from "../records/command-failure.ts";
import { renderFailure } from "../cards/failure-text.ts";
import { neutralise } from "../base/style.ts";
import type { CommandEnd, Session } from "./command.ts";

const REFUSED_STATUS = 10;
const PATHS_SHOWN = 20;

export function printFailure(failure: CommandFailure, session: Session): CommandEnd {
  return failure.kind === "refused" ? printRefused(failure, session) : printBlocked(failure, session);
}

/** Prints a failure, and passes every other end on. */
export function readCommandEnd(answer: CommandEnd | CommandFailure, session: Session): CommandEnd {
  return answer.kind === "ended" || answer.kind === "misused" ? answer : printFailure(answer, session);
}

/** Prints what the command needs and does not have. */
export function printBlocked(
  failure: Omit<NotReady, "cause"> & { readonly cause: string | null },
  session: Session,
): CommandEnd {
  const { code, cause, message, problems } = failure;
  const { verdict, exit } = CODES[code];
  const remedy = failure.remedy ?? CODES[code].remedy;
  const rollback = failure.rollback === undefined ? {} : { rollback: failure.rollback };
  if (session.json)
    session.out(`${JSON.stringify({ verdict, code, cause, message, problems, remedy, ...rollback })}\n`);
  else session.err(renderFailure({ code, message, problems, next: `Next: ${remedy}` }, session.prose));
  return { kind: "ended", status: exit };
}

function printRefused({ runId, cause, message, paths, next }: Refusal, session: Session): CommandEnd {
  if (session.json) {
    const document = { verdict: "stop", code: null, cause, message, problems: paths, remedy: next };
    session.out(`${JSON.stringify({ ...document, run_id: runId })}\n`);
  } else {
    const shown = session.detail === "all" ? paths : paths.slice(0, PATHS_SHOWN);
    const hidden = paths.length - shown.length;
    const problems = [...shown, ...(hidden > 0 ? [`and ${hidden} more; see them with -v`] : [])];
    session.err(renderFailure({ code: null, message, problems, next: `Next: ${next}` }, session.prose));
  }
  return { kind: "ended", status: REFUSED_STATUS };
}

export function printWarning(warning: string, { err }: Session): void {
  err(`relais: warning: ${neutralise(warning)}.\n`);
}

/** Prints what could not be measured, or what a signal stopped. */
export function printInterrupted(cause: string, message: string, { json, out, err, prose }: Session): CommandEnd {
  const { verdict, exit } = CODES.STOP_INTERRUPTED;
  const failure = { code: "STOP_INTERRUPTED", message, problems: [] } as const;
  if (json) out(`${JSON.stringify({ verdict, cause, ...failure })}\n`);
  else err(renderFailure(failure, prose));
  return { kind: "ended", status: exit };
}
