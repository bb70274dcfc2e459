/** Another tick at the task of one whose change was not kept. */
import { runTask, type RunTaskRequest } from "../tick/run-task.ts";
import { renderStartNotice } from "../cards/start-notice-text.ts";
import type { CommandEnd, Session } from "./command.ts";
import { makeProcessSources, openLive } from "./live.ts";
import { printWarning } from "./refusal-answer.ts";
import { printTick } from "./tick-answer.ts";

/** Loaded where work is gone on with. */
export const placeSavedWork: NonNullable<RunTaskRequest["placeSalvage"]> = async (...wanted) =>
  (await import("../landing/place-salvage.ts")).placeSalvage(...wanted);

type FurtherTry = Pick<RunTaskRequest, "source" | "choices" | "isDryRun">;

/** One more tick; `runId` is null where none ran. */
export async function tryAgain(
  wanted: FurtherTry,
  session: Session,
): Promise<{ readonly end: CommandEnd; readonly runId: string | null }> {
  const answer = await runTask({
    ...makeProcessSources(session),
    ...wanted,
    wishes: { fixes: [], updateTests: [] },
    placeSalvage: placeSavedWork,
    announce: (notice) => {
      if (!session.json && session.detail !== "quiet") session.err(renderStartNotice(notice, session.prose));
    },
    emit: openLive(session, "fix").emit,
  });
  session.stage.clear();
  const end = printTick(answer, session);
  const warning = answer.kind === "ended" ? await answer.notify() : null;
  if (warning !== null) printWarning(warning, session);
  return { end, runId: answer.kind === "ended" ? answer.report.run_id : null };
}
