import { CODES } from "../../../contract/values/codes.ts";
import { unreachable } from "../../../contract/values/invariant.ts";
import { recover, type Recovery } from "../../../run/recover/recover.ts";
import { lockUnavailable } from "../../../run/workspace/look-at-locks.ts";
import { neutralise } from "../../../view/text/neutralise.ts";
import { recoveryText } from "../../../view/history/recovery-text.ts";
import { reportMarkdown } from "../../../view/cards/report-markdown.ts";
import type { CommandEnd, RunCommand, Session } from "../../framework/command.ts";
import { canvasOf } from "../../framework/session-canvas.ts";
import type { RecoverOptions } from "./recover-spec.ts";
import { tellObstacle } from "../../answers/refusal-answer.ts";

/** `relais recover`. */
export const run: RunCommand<RecoverOptions> = async ({ options }, session) => {
  const recovery = await recover({
    cwd: session.cwd,
    environment: session.environment,
    signal: session.signal,
    abandon: options.flag("abandon"),
    renderReport: (report, maxChars) => reportMarkdown(report, { maxChars }),
  });
  return tell(recovery, session);
};

function tell(recovery: Recovery, session: Session): CommandEnd {
  switch (recovery.kind) {
    case "blocked":
    case "refused":
      return tellObstacle(recovery, session);
    case "nothing":
    case "abandoned":
    case "recovered":
      return tellDone(recovery, session);
    default:
      return unreachable(recovery);
  }
}

type Done = Extract<Recovery, { kind: "nothing" | "abandoned" | "recovered" }>;

function tellDone(recovery: Done, session: Session): CommandEnd {
  const report = recovery.kind === "recovered" ? recovery.report : null;
  if (session.json) session.out(`${JSON.stringify(documentOf(recovery))}\n`);
  else if (session.detail !== "quiet" || isNews(recovery)) session.out(text(recovery, session));
  for (const problem of recovery.problems) session.err(`relais: not written: ${neutralise(problem)}\n`);
  if (recovery.damagedLock !== null) return tellLock(recovery.damagedLock, session);
  if (report?.code === "BLOCKED_ROLLBACK_FAILED") return { kind: "ended", status: CODES[report.code].exit };
  return recovery.problems.length === 0 ? { kind: "ended", status: 0 } : tellUnwritten(session);
}

const isNews = ({ kind, mendedLines }: Done): boolean => kind !== "nothing" || mendedLines > 0;

/** The repository is as it should be; what could not be written is for the next recovery to write. */
function tellUnwritten(session: Session): CommandEnd {
  if (!session.json) session.err("Next: mend that, then run `relais recover` again.\n");
  return { kind: "ended", status: CODES.BLOCKED_CRASH_RECOVERY_REQUIRED.exit };
}

/** What was to be recovered is; but no tick begins beside a lock that nobody understands. */
function tellLock(damaged: NonNullable<Done["damagedLock"]>, session: Session): CommandEnd {
  const failure = lockUnavailable({ kind: "corrupt", ...damaged });
  if (!session.json) return tellObstacle(failure, session);
  return { kind: "ended", status: CODES[failure.code].exit };
}

function documentOf(recovery: Done): object {
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

function text(recovery: Done, session: Session): string {
  const { mendedLines, problems } = recovery;
  return recoveryText(
    {
      outcome:
        recovery.kind === "nothing" ? { kind: "nothing", isPublished: problems.length === 0 } : recovery,
      mendedLines,
      rescued: recovery.kind === "recovered" ? recovery.rescued : null,
    },
    canvasOf(session),
  );
}
