import { unreachable } from "../../contract/values/invariant.ts";
import { unfinishedRun } from "../../core/history/journal-runs.ts";
import type { Unready } from "../workspace/ground.ts";
import { recover } from "./recover.ts";
import type { RecoverRequest } from "./recovery-place.ts";
import { lookAround } from "../workspace/surroundings.ts";
import type { LockRefusal } from "../workspace/with-locks.ts";

/** Nothing stands in the way any more; `runId` is the tick that was cut short, where there was one. */
export interface Cleared {
  readonly kind: "cleared";
  readonly runId: string | null;
}

/** Brings a tick to its end that was cut short, before a series begins or goes on. Whoever is at work is left alone. */
export async function recoverFirst(
  request: Omit<RecoverRequest, "abandon">,
): Promise<Cleared | Unready | LockRefusal> {
  const around = await lookAround(request.cwd, request.environment);
  if (around.kind === "blocked") return around;
  const open = unfinishedRun(around.lines);
  if (open === null && around.missingLines === 0) return { kind: "cleared", runId: null };
  const recovery = await recover({ ...request, abandon: false });
  switch (recovery.kind) {
    case "blocked":
    case "busy":
    case "corrupt":
      return recovery;
    case "nothing":
      return { kind: "cleared", runId: null };
    case "abandoned":
    case "recovered":
      return { kind: "cleared", runId: recovery.runId };
    default:
      return unreachable(recovery);
  }
}
