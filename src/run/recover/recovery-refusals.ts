import { findStart } from "../../core/tick/tick-facts.ts";
import type { RollbackError } from "../../contract/values/rollback-error.ts";
import type { TickRecord } from "../../core/tick/tick-records.ts";
import type { Repository } from "../../io/git/repository-layout.ts";
import { type NotReady, refuseNotReady } from "../../contract/answers/command-failure.ts";

interface LivingProcess {
  readonly pid: number;
  readonly command: string;
}

export function refuseNotPutBack({ message, differences }: RollbackError): NotReady {
  return {
    ...refuseNotReady("rollback_failed", `${message}.`),
    code: "BLOCKED_ROLLBACK_FAILED",
    problems: differences,
    remedy:
      "Fix that and run `relais recover` again. If you cannot, `relais recover --abandon` leaves the files as they are and unblocks relais.",
  };
}

/** The observation of one worktree must never be restored over another. */
export function findOtherWorktree({ runId, state }: TickRecord, { root }: Repository): NotReady | null {
  const worktree = findStart(state)?.worktree ?? root;
  if (worktree === root) return null;
  const message = `The tick ${runId} was interrupted in another worktree, ${worktree}.`;
  const remedy = `Run \`relais recover\` there: cd ${worktree}. If that worktree is deleted, run \`relais recover --abandon\`.`;
  return { ...refuseNotReady("other_worktree", message), code: "BLOCKED_CRASH_RECOVERY_REQUIRED", remedy };
}

/** No rollback while processes of the tick still run. */
export function refuseStillRunning(undead: readonly LivingProcess[]): NotReady {
  const names = undead.map(({ pid, command }) => `${pid} (${command})`).join(", ");
  const message = `Processes of the interrupted tick still run: ${names}.`;
  const remedy = "Stop them, then run `relais recover` again.";
  return {
    ...refuseNotReady("processes_survived", message, remedy),
    code: "BLOCKED_CRASH_RECOVERY_REQUIRED",
  };
}
