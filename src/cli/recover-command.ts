import { CODES } from "../contract/codes.ts";
import { unreachable } from "../contract/invariant.ts";
import { type Recovery, recover } from "../run/recover.ts";
import { neutralise } from "../view/neutralise.ts";
import { reportMarkdown } from "../view/report-markdown.ts";
import { tickCard } from "../view/tick-card.ts";
import type { CommandEnd, RunCommand, Session } from "./command.ts";
import { lockFailure, tellBlocked } from "./tick-answer.ts";

/** `relais recover`. */
export const run: RunCommand = async (_, session) => {
  const recovery = await recover({
    cwd: session.cwd,
    environment: process.env,
    signal: session.signal,
    renderReport: (report, maxChars) => reportMarkdown(report, { maxChars }),
  });
  return tell(recovery, session);
};

function tell(recovery: Recovery, session: Session): CommandEnd {
  switch (recovery.kind) {
    case "blocked":
      return tellBlocked(recovery, session);
    case "busy":
    case "corrupt":
      return tellBlocked(lockFailure(recovery), session);
    case "nothing":
    case "recovered":
      return tellRecovered(recovery, session);
    default:
      return unreachable(recovery);
  }
}

function tellRecovered(
  recovery: Extract<Recovery, { kind: "nothing" | "recovered" }>,
  session: Session,
): CommandEnd {
  const report = recovery.kind === "recovered" ? recovery.report : null;
  const run_id = recovery.kind === "recovered" ? recovery.runId : null;
  if (session.json)
    session.out(`${JSON.stringify({ kind: recovery.kind, run_id, report, problems: recovery.problems })}\n`);
  else session.out(text(recovery, session));
  for (const problem of recovery.problems) session.err(`relais: not written: ${neutralise(problem)}\n`);
  // The repository is as it should be, which is what was asked for, unless it could not be put back.
  return { kind: "ended", status: report?.code === "BLOCKED_ROLLBACK_FAILED" ? CODES[report.code].exit : 0 };
}

function text(recovery: Extract<Recovery, { kind: "nothing" | "recovered" }>, { style }: Session): string {
  if (recovery.kind === "nothing")
    return "Nothing was cut short. The documents of the workspace are up to date.\n";
  const { runId, report } = recovery;
  if (report === null && !recovery.restored)
    return `The tick ${runId} was settled already, and what it kept stays.\n`;
  if (report === null) return `The repository is back to what it was before ${runId}.\n`;
  return tickCard(report, { style, columns: process.stdout.columns ?? 100 });
}
