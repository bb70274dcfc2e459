import { UNANSWERED } from "../../core/tick/decide.ts";
import { WorkspaceFold } from "../../core/history/workspace-state.ts";
import { type PreflightRefusal, type PreflightSubject, makePreflightRefusal } from "./preflight-row.ts";

/** An open question would only be asked again. It does not block a task file. */
export function checkQuestion({ journal, work }: PreflightSubject): PreflightRefusal | null {
  const asked = journal.fold(WorkspaceFold).question;
  if ((work?.orchestrator ?? null) === null || asked === null || asked.answer !== null) return null;
  const { run_id: runId, prompt, choices } = asked;
  const message = `The question of the tick ${runId} waits for an answer.`;
  return { ...makePreflightRefusal("STOP_QUESTION", UNANSWERED, message), question: { prompt, choices } };
}
