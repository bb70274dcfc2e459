import type { AppliedWork } from "../records/decisions.ts";
import type { CommittedTree } from "../records/committed-tree.ts";
import { unreachable } from "../base/errors.ts";
import { decodeChangePath } from "../evidence/change-bytes.ts";
import { readFilterSettings } from "../git/filter-settings.ts";
import { listDirtyNames } from "../git/git-status.ts";
import { findWork, type KeptPlace } from "../keep/keep-work.ts";
import { findBase, findStart } from "../tick/pure/tick-facts.ts";
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
    const own = await listOwnEdits(repository, { stateDirectory, lines }, runId);
    if (own.length > 0) {
      const message = `These paths hold edits of yours that are not committed, and ${runId} began with them.`;
      const next = `Commit them, then type \`relais salvage apply ${runId}\`.`;
      return refuse({ cause: "dirty_worktree", runId, message, paths: own, next });
    }
    const readBase = () => readBaseTree(repository, findTickRecord(lines, runId));
    return concludeSalvage(
      await applySalvage({ root: repository.root, store, stateDirectory, lines, runId, readBase }),
      runId,
    );
  });
}

/** What began with a person's edits takes them for its own beginning, and would write over the only copy. */
async function listOwnEdits(repository: Repository, place: KeptPlace, runId: string): Promise<readonly string[]> {
  const tick = findTickRecord(place.lines, runId);
  if (tick === null || findStart(tick.state)?.uncommitted === undefined) return [];
  const found = await findWork(place, "salvage", runId);
  if (found.kind !== "found") return [];
  const settings = await readFilterSettings(repository);
  const dirty = new Set(await listDirtyNames({ repository, settings }));
  return found.work.files.filter((file) => dirty.has(decodeChangePath(file))).map(({ path }) => path);
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
