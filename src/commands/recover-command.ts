import type { DamagedLock, Recovery } from "../records/recovery.ts";
import { CODES } from "../base/codes.ts";
import { recover } from "../decide/recover.ts";
import type { RecoverRequest } from "../decide/recovery-session.ts";
import { lockUnavailable } from "../workspace/read-locks.ts";
import { renderRecovery, renderUnprovenSteps } from "../cards/recovery-text.ts";
import type { CommandEnd, RunCommand, Session } from "../terminal/command.ts";
import type { RecoverOptions } from "./recover-spec.ts";
import { makeProcessSources } from "../terminal/live.ts";
import { askYes } from "../terminal/decision-answer.ts";
import { makeDocument, printAnswer } from "../terminal/print-answer.ts";
import { printFailure } from "../terminal/refusal-answer.ts";

export const runRecover: RunCommand<RecoverOptions> = async ({ options }, session) => {
  const allowSteps = options.flag("yes") ? () => Promise.resolve(true) : makeAskSteps(session);
  const recovery = await recover({ ...makeProcessSources(session), abandon: options.flag("abandon"), allowSteps });
  return recovery.kind === "blocked" || recovery.kind === "refused"
    ? printFailure(recovery, session)
    : printDone(recovery, session);
};

/** Without a person the answer is no. */
function makeAskSteps(session: Session): RecoverRequest["allowSteps"] {
  const { keyboard, json, out, prose } = session;
  return async (steps) => {
    if (json || keyboard === null) return false;
    out(renderUnprovenSteps(steps, prose));
    return askYes("Do this?", keyboard, session);
  };
}

function printDone(recovery: Recovery, session: Session): CommandEnd {
  const { kind, problems, damagedLock, mendedLines } = recovery;
  const report = kind === "recovered" ? recovery.report : null;
  const document = {
    kind,
    run_id: kind === "nothing" ? null : recovery.runId,
    report,
    rescued: kind === "recovered" ? recovery.rescued : null,
    ...makeDocument(recovery, ["mendedLines", "damagedLock", "problems"]),
  };
  const isAsked = kind !== "nothing" || mendedLines > 0;
  const end = printAnswer({ document, text: () => renderRecovery(recovery, session), problems, isAsked }, session);
  if (damagedLock !== null) return printLock(damagedLock, session);
  if (report?.code === "BLOCKED_ROLLBACK_FAILED") return { kind: "ended", status: CODES[report.code].exit };
  if (problems.length === 0) return end;
  // The repository is as it should be; the next recovery writes what could not be written.
  if (!session.json) session.err("Next: fix that, then run `relais recover` again.\n");
  return { kind: "ended", status: CODES.BLOCKED_CRASH_RECOVERY_REQUIRED.exit };
}

/** No tick starts beside a lock file that cannot be read. */
function printLock(damaged: DamagedLock, session: Session): CommandEnd {
  const failure = lockUnavailable({ kind: "corrupt", ...damaged });
  if (!session.json) return printFailure(failure, session);
  return { kind: "ended", status: CODES[failure.code].exit };
}
