import type { AppliedWork } from "../../contract/answers/decisions.ts";
import { unreachable } from "../../contract/values/invariant.ts";
import { openContentStore } from "../../io/content/content-store.ts";
import { type CommandFailure, type Refusal, refuse } from "../../contract/answers/command-failure.ts";
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
    return concludeSalvage(
      await applySalvage({ root: repository.root, store, stateDirectory, lines: journal.lines(), runId }),
      runId,
    );
  });
}

function concludeSalvage(applied: AppliedSalvage, runId: string): AppliedWork | Refusal {
  switch (applied.kind) {
    case "applied": {
      const { files, left_out_total: leftOut } = applied.work;
      return { kind: "applied", runId, paths: files.map(({ path }) => path), leftOut };
    }
    case "conflict": {
      const message = `These paths changed since ${runId} started.`;
      const next = `Merge the patch by hand: ${applied.patchPath}`;
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
