import type { AppliedWork } from "../records/decisions.ts";
import type { CommittedTree } from "../records/committed-tree.ts";
import { unreachable } from "../base/errors.ts";
import { findBase } from "../tick/pure/tick-facts.ts";
import { findTickRecord, type TickRecord } from "../tick/pure/tick-records.ts";
import { openContentStore } from "../store/content-store.ts";
import { readCommittedTree } from "../git/read-committed-tree.ts";
import type { Repository } from "../git/repository-layout.ts";
import { type CommandFailure, type Refusal, refuse } from "../records/command-failure.ts";
import { type AppliedSalvage, applySalvage } from "../keep/salvage.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import type { WorkspaceRequest } from "../workspace/workspace.ts";

export interface BringBackRequest extends WorkspaceRequest {
  readonly runId: string;
}

/** `relais salvage apply`. */
export function bringBack(request: BringBackRequest): Promise<AppliedWork | CommandFailure> {
  const { runId } = request;
  return withWorkspace(request, "decide", async ({ repository, stateDirectory, journal }) => {
    const store = await openContentStore(stateDirectory, repository.environment);
    const lines = journal.lines();
    const readBase = () => readBaseTree(repository, findTickRecord(lines, runId));
    return concludeSalvage(
      await applySalvage({ root: repository.root, store, stateDirectory, lines, runId, readBase }),
      runId,
    );
  });
}

async function readBaseTree(repository: Repository, tick: TickRecord | null): Promise<CommittedTree | null> {
  const base = tick === null ? null : findBase(tick.state);
  const tree = base === null ? null : await readCommittedTree(repository);
  return tree?.commit === base?.base_commit ? tree : null;
}

function concludeSalvage(applied: AppliedSalvage, runId: string): AppliedWork | Refusal {
  switch (applied.kind) {
    case "applied": {
      const { files, left_out_total: leftOut } = applied.work;
      return { kind: "applied", runId, paths: files.map(({ path }) => path), leftOut };
    }
    case "conflict": {
      const message = `These paths changed since ${runId} started.`;
      const next = `Commit your edits, then merge: git apply --3way ${applied.patchPath}`;
      return refuse({ cause: "conflict", runId, message, paths: applied.paths, next });
    }
    case "missing":
      return refuse({
        cause: "unknown_run",
        runId,
        message: `Nothing is saved for ${runId}.`,
        next: "See `relais salvage`.",
      });
    case "damaged":
      return refuse({
        cause: "salvage_damaged",
        runId,
        message: `The salvage of ${runId} is damaged: ${applied.reason}.`,
        next: "Look at its patch in the state directory.",
      });
    default:
      return unreachable(applied);
  }
}
