import { join } from "node:path";
import type { JournalLine } from "../../contract/journal/event.ts";
import { followJournal, type FollowRequest } from "../../io/journal/follow-journal.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";

/** Follows the journal of a repository, with the lines of all its worktrees. */
export async function watchEvents(
  { stateDirectory, lines }: Pick<WorkspaceSnapshot, "stateDirectory" | "lines">,
  watch: Omit<FollowRequest, "path" | "lines">,
): Promise<void> {
  await followJournal({ ...watch, path: join(stateDirectory, "journal.jsonl"), lines });
}

/** The newest tick first. */
export function listRuns(lines: readonly JournalLine[]): readonly string[] {
  return [...new Set(lines.map(({ run_id }) => run_id))].toReversed();
}
