/** How it is said that a command could not be carried out, to a person and to a script. */
import { unreachable } from "../../contract/values/invariant.ts";
import type { Unready } from "../../run/workspace/ground.ts";
import type { Refused } from "../../run/workspace/refused.ts";
import type { LockRefusal } from "../../run/workspace/with-locks.ts";
import { failureText } from "../../view/cards/failure-text.ts";
import { neutralise } from "../../view/text/neutralise.ts";
import type { CommandEnd, Session } from "../framework/command.ts";
import { lockFailure, tellBlocked } from "./tick-answer.ts";

const REFUSED_STATUS = 10;
const PATHS_SHOWN = 20;

/** Everything that can stand in the way of a command. */
export type Obstacle = Refused | Unready | LockRefusal;

export function tellObstacle(obstacle: Obstacle, session: Session): CommandEnd {
  switch (obstacle.kind) {
    case "refused":
      return tellRefused(obstacle, session);
    case "blocked":
      return tellBlocked(obstacle, session);
    case "busy":
    case "corrupt":
      return tellBlocked(lockFailure(obstacle), session);
    default:
      return unreachable(obstacle);
  }
}

function tellRefused({ runId, cause, message, paths, next }: Refused, session: Session): CommandEnd {
  if (session.json) {
    const document = { verdict: "stop", code: null, cause, message, problems: paths, remedy: next };
    session.out(`${JSON.stringify({ ...document, run_id: runId })}\n`);
  } else {
    const shown = session.detail === "all" ? paths : paths.slice(0, PATHS_SHOWN);
    const hidden = paths.length - shown.length;
    const problems = [...shown, ...(hidden > 0 ? [`and ${hidden} more; -v shows them`] : [])];
    session.err(failureText({ code: null, message, problems, next: `Next: ${next}` }, session.style));
  }
  return { kind: "ended", status: REFUSED_STATUS };
}

/** Says which files could not be written; what was decided stands all the same. */
export function tellUnpublished(problems: readonly string[], { err }: Session): void {
  for (const problem of problems) err(`relais: not written: ${neutralise(problem)}\n`);
}

/** Says what went wrong and changes nothing. */
export function tellWarning(warning: string, { err }: Session): void {
  err(`relais: warning: ${neutralise(warning)}.\n`);
}
