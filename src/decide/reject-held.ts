import type { AskedDecision } from "../records/decisions.ts";
import { type CommandFailure, type Refusal, refuse } from "../records/command-failure.ts";
import { listHeldWork } from "../journal/pure/held-work.ts";
import { findRun } from "../journal/pure/journal-runs.ts";
import { commitIdentity, namePerson } from "../store/commit-identity.ts";
import { locateRunDirectory } from "../journal/run-directory.ts";
import { dropRecord } from "../tick/kept-session.ts";
import { findTickRecord } from "../tick/pure/tick-records.ts";
import { listRepositoryLines } from "../workspace/lines-of-repository.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import type { LockedWorkspace, WorkspaceRequest } from "../workspace/workspace.ts";
import { recordDecision } from "./accept-last.ts";

interface RejectWish {
  /** The id of a tick, or its beginning or end. */
  readonly run: string;
  readonly reason: string | null;
}

/** `relais reject RUN` for a held change, which is reverted already. Null where no such change waits. */
export async function rejectHeld(
  request: WorkspaceRequest,
  { run, reason }: RejectWish,
): Promise<AskedDecision | CommandFailure | null> {
  const found = await withSnapshot(request, ({ lines, repository }) => {
    const waiting = listHeldWork(listRepositoryLines(lines, repository)).map(({ runId }) => runId);
    return findRun(run, waiting);
  });
  if (found.kind === "blocked") return found;
  if (found.kind !== "run") return null;
  return withWorkspace(request, "decide", (workspace) => reject(workspace, found.runId, reason));
}

async function reject(
  workspace: LockedWorkspace,
  runId: string,
  reason: string | null,
): Promise<AskedDecision | Refusal> {
  const { journal, repository } = workspace;
  const lines = listRepositoryLines(journal.lines(), repository);
  const record = findTickRecord(lines, runId);
  if (record === null || !listHeldWork(lines).some((work) => work.runId === runId)) {
    const message = `The change of ${runId} was decided meanwhile.`;
    return refuse({ cause: "decided_already", runId, message, next: "See `relais status`." });
  }
  const by = namePerson(await commitIdentity(repository), repository.environment);
  await recordDecision(workspace, record, { type: "rejected", by, reason });
  dropRecord(locateRunDirectory(workspace.stateDirectory, runId));
  return { kind: "decided", runId, decision: "reject", message: reason };
}
