/** Why a recovery cannot be carried out, each with what to do about it. */
import { findStart } from "../../core/tick/tick-facts.ts";
import type { RollbackError } from "../../contract/values/rollback-error.ts";
import type { TickRecord } from "../../core/tick/tick-records.ts";
import type { Repository } from "../../io/git/repository-layout.ts";
import { type NotReady, notReady } from "../../contract/answers/command-failure.ts";

interface LivingProcess {
  readonly pid: number;
  readonly command: string;
}

/** The repository is not what it was, and the journal still says that it is to be put back. */
export function notPutBack({ message, differences }: RollbackError): NotReady {
  return {
    ...notReady("rollback_failed", `${message}.`),
    code: "BLOCKED_ROLLBACK_FAILED",
    problems: differences,
    remedy:
      "Mend what is named and run `relais recover` again. Where that cannot be done, `relais recover --abandon` leaves everything as it is and lets ticks begin again.",
  };
}

/** What was remembered of one worktree must never be laid over another. */
export function otherWorktree({ runId, state }: TickRecord, { root }: Repository): NotReady | null {
  const worktree = findStart(state)?.worktree ?? root;
  if (worktree === root) return null;
  const message = `The tick ${runId} was cut short in another worktree, ${worktree}.`;
  const remedy = `Run \`relais recover\` there: cd ${worktree}. If that worktree is gone for good, \`relais recover --abandon\` gives the tick up.`;
  return { ...notReady("other_worktree", message), code: "BLOCKED_CRASH_RECOVERY_REQUIRED", remedy };
}

/** Nothing is put back while somebody could still change it. */
export function stillRunning(undead: readonly LivingProcess[]): NotReady {
  const names = undead.map(({ pid, command }) => `${pid} (${command})`).join(", ");
  const message = `Processes of the tick that was cut short cannot be ended: ${names}.`;
  const remedy = "End them yourself, then run `relais recover` again.";
  return { ...notReady("processes_survived", message, remedy), code: "BLOCKED_CRASH_RECOVERY_REQUIRED" };
}
