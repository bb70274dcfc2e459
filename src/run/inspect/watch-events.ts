import { join } from "node:path";
import type { JournalLine } from "../../contract/journal/event.ts";
import { followJournal, type FollowRequest } from "../../io/journal/follow-journal.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";

/** Hands on what is added to the journal of a repository, whichever of its worktrees it comes from. */
export async function watchEvents(
  { stateDirectory, lines }: Pick<WorkspaceSnapshot, "stateDirectory" | "lines">,
  watch: Omit<FollowRequest, "path" | "lines">,
): Promise<void> {
  await followJournal({ ...watch, path: join(stateDirectory, "journal.jsonl"), lines });
}

/** The ticks that lines tell of, the newest first. */
export function listRuns(lines: readonly JournalLine[]): readonly string[] {
  return [...new Set(lines.map(({ run_id }) => run_id))].toReversed();
}
