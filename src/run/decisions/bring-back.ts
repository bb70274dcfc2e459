import { unreachable } from "../../contract/values/invariant.ts";
import { openContentStore } from "../../io/content/content-store.ts";
import type { Unready } from "../workspace/ground.ts";
import { refused, type Refused } from "../workspace/refused.ts";
import { type AppliedSalvage, applySalvage } from "../keep/salvage.ts";
import { type DecisionRequest, underLock } from "./under-lock.ts";
import type { LockRefusal } from "../workspace/with-locks.ts";

export interface BroughtBack {
  readonly kind: "applied";
  readonly runId: string;
  readonly paths: readonly string[];
  readonly leftOut: number;
}

export interface BringBackRequest extends DecisionRequest {
  readonly runId: string;
}

/** Puts salvaged work into the working tree again, under the locks. */
export function bringBack(request: BringBackRequest): Promise<BroughtBack | Refused | Unready | LockRefusal> {
  const { runId } = request;
  return underLock(request, async ({ ground: { repository, stateDirectory } }) => {
    const store = await openContentStore(stateDirectory, repository.environment);
    return answer(await applySalvage({ repository, store, stateDirectory, runId }), runId);
  });
}

function answer(applied: AppliedSalvage, runId: string): BroughtBack | Refused {
  switch (applied.kind) {
    case "applied": {
      const { files, left_out_total: leftOut } = applied.work;
      return { kind: "applied", runId, paths: files.map(({ path }) => path), leftOut };
    }
    case "conflict": {
      const message = `These paths are not what they were when the work of ${runId} began.`;
      const next = `Merge it by hand: the patch is ${applied.patchPath}`;
      return refused({ cause: "conflict", runId, message, paths: applied.paths, next });
    }
    case "missing":
      return refused({
        cause: "unknown_run",
        runId,
        message: `Nothing is kept of ${runId}.`,
        next: "See `relais salvage`.",
      });
    case "damaged":
      return refused({
        cause: "salvage_damaged",
        runId,
        message: `The salvage of ${runId} is damaged: ${applied.reason}.`,
        next: "Look at its patch in the state directory.",
      });
    default:
      return unreachable(applied);
  }
}
