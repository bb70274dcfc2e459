import type { DamagedLock, Recovery } from "../../../contract/answers/recovery.ts";
import { CODES } from "../../../contract/values/codes.ts";
import { recover } from "../../../run/recover/recover.ts";
import { lockUnavailable } from "../../../run/workspace/look-at-locks.ts";
import { renderRecovery } from "../../../view/history/recovery-text.ts";
import type { CommandEnd, RunCommand, Session } from "../../framework/command.ts";
import { getCanvas } from "../../framework/session-canvas.ts";
import type { RecoverOptions } from "./recover-spec.ts";
import { makeProcessSources } from "../../live/process-sources.ts";
import { printFailure, printUnpublished } from "../../answers/refusal-answer.ts";

/** `relais recover`. */
export const runRecover: RunCommand<RecoverOptions> = async ({ options }, session) => {
  const recovery = await recover({ ...makeProcessSources(session), abandon: options.flag("abandon") });
  return recovery.kind === "blocked" || recovery.kind === "refused"
    ? printFailure(recovery, session)
    : printDone(recovery, session);
};

function printDone(recovery: Recovery, session: Session): CommandEnd {
  const report = recovery.kind === "recovered" ? recovery.report : null;
  if (session.json) session.out(`${JSON.stringify(documentOf(recovery))}\n`);
  else if (session.detail !== "quiet" || isNews(recovery)) session.out(renderRecovery(recovery, getCanvas(session)));
  printUnpublished(recovery.problems, session);
  if (recovery.damagedLock !== null) return printLock(recovery.damagedLock, session);
  if (report?.code === "BLOCKED_ROLLBACK_FAILED") return { kind: "ended", status: CODES[report.code].exit };
  return recovery.problems.length === 0 ? { kind: "ended", status: 0 } : printUnwritten(session);
}

const isNews = ({ kind, mendedLines }: Recovery): boolean => kind !== "nothing" || mendedLines > 0;

/** The repository is as it should be; what could not be written is for the next recovery to write. */
function printUnwritten(session: Session): CommandEnd {
  if (!session.json) session.err("Next: fix that, then run `relais recover` again.\n");
  return { kind: "ended", status: CODES.BLOCKED_CRASH_RECOVERY_REQUIRED.exit };
}

/** What was to be recovered is; but no tick begins beside a lock that nobody understands. */
function printLock(damaged: DamagedLock, session: Session): CommandEnd {
  const failure = lockUnavailable({ kind: "corrupt", ...damaged });
  if (!session.json) return printFailure(failure, session);
  return { kind: "ended", status: CODES[failure.code].exit };
}

function documentOf(recovery: Recovery): object {
  const { kind, problems, mendedLines: mended_lines } = recovery;
  return {
    kind,
    run_id: kind === "nothing" ? null : recovery.runId,
    report: kind === "recovered" ? recovery.report : null,
    rescued: kind === "recovered" ? recovery.rescued : null,
    mended_lines,
    damaged_lock: recovery.damagedLock,
    problems,
  };
}
