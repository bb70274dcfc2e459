import { type AcceptedRecord, lastAcceptedRun } from "../../core/history/journal-runs.ts";
import { isFolder } from "../../io/files/is-folder.ts";
import { runDirectoryOf } from "../../io/workspace/run-directory.ts";
import { formerRootOf, linesHere } from "../workspace/lines-here.ts";
import { refused, type Refused } from "../workspace/refused.ts";
import type { Held } from "./under-lock.ts";

/** The tick whose change a person may decide about here; otherwise the given sentence, or where it can be done. */
export function lastAcceptedHere({ ground, journal }: Held, absent: string): AcceptedRecord | Refused {
  const { repository, stateDirectory } = ground;
  const record = lastAcceptedRun(linesHere(journal.lines(), repository), repository.root);
  if (record === null)
    return refused({ cause: "nothing_accepted", message: absent, next: "See `relais status`." });
  const { runId } = record;
  const former = formerRootOf(record, journal.lines(), repository);
  // A linked worktree keeps its memory where the others have it; a whole repository leaves it behind.
  if (former === null || isFolder(runDirectoryOf(stateDirectory, runId))) return record;
  const message = `The change of ${runId} was kept while this repository lay in ${former}, and what is remembered of it belongs to that folder.`;
  const next = `Move the repository back to ${former} and decide there, or look with \`git diff\` and commit or undo it with git.`;
  return refused({ cause: "repository_moved", runId, message, next });
}
