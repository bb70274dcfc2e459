import { type AcceptedRecord, lastAcceptedRun } from "../../core/history/journal-runs.ts";
import { isFolder } from "../../io/files/is-folder.ts";
import { runDirectoryOf } from "../../io/workspace/run-directory.ts";
import { formerRootOf, linesHere } from "../workspace/lines-here.ts";
import { type Refusal, refuse } from "../../contract/answers/command-failure.ts";
import type { LockedWorkspace } from "../workspace/workspace.ts";

/** The tick whose change a person may decide about here; otherwise the given sentence, or where it can be done. */
export function lastAcceptedHere(workspace: LockedWorkspace, absent: string): AcceptedRecord | Refusal {
  const { repository, stateDirectory, journal } = workspace;
  const record = lastAcceptedRun(linesHere(journal.lines(), repository), repository.root);
  if (record === null)
    return refuse({ cause: "nothing_accepted", message: absent, next: "See `relais status`." });
  const { runId } = record;
  const former = formerRootOf(record, journal.lines(), repository);
  // A linked worktree keeps its memory where the others have it; a whole repository leaves it behind.
  if (former === null || isFolder(runDirectoryOf(stateDirectory, runId))) return record;
  const message = `The change of ${runId} was made when this repository was in ${former}; its records belong to that folder.`;
  const next = `Move the repository back to ${former} and decide there, or commit or undo it with git.`;
  return refuse({ cause: "repository_moved", runId, message, next });
}
