import { type AcceptedRecord, findLastAccepted } from "../journal/pure/journal-runs.ts";
import { isFolder } from "../system/is-folder.ts";
import { locateRunDirectory } from "../journal/run-directory.ts";
import { findFormerRoot, listRoots } from "./lines-of-repository.ts";
import { type Refusal, refuse } from "../records/command-failure.ts";
import type { LockedWorkspace } from "./workspace.ts";

/** The tick whose change can be decided here; `absent` is the message if there is none. */
export function findLastAcceptedHere(workspace: LockedWorkspace, absent: string): AcceptedRecord | Refusal {
  const { repository, stateDirectory, journal } = workspace;
  const record = findLastAccepted(journal, listRoots(journal, repository));
  if (record === null) return refuse({ cause: "nothing_accepted", message: absent, next: "See `relais status`." });
  const { runId } = record;
  const former = findFormerRoot(record, repository);
  // A moved linked worktree keeps its state directory; a moved repository gets a new one.
  if (former === null || isFolder(locateRunDirectory(stateDirectory, runId))) return record;
  const message = `The change of ${runId} was made when this repository was in ${former}; its records belong to that folder.`;
  const next = `Move the repository back to ${former} and decide there, or commit or undo it with git.`;
  return refuse({ cause: "repository_moved", runId, message, next });
}
