import type { CommandFailure } from "../../contract/answers/command-failure.ts";
import { findUnfinishedRun } from "../../core/history/journal-runs.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import { recover } from "./recover.ts";
import type { RecoverRequest } from "./recovery-session.ts";

/** `runId` is the recovered tick. */
export interface Cleared {
  readonly kind: "cleared";
  readonly runId: string | null;
}

/** Recovers an interrupted tick before a series starts or continues. */
export async function recoverFirst(request: Omit<RecoverRequest, "abandon">): Promise<Cleared | CommandFailure> {
  const needed = await withWorkspace(request, "read", ({ lines, missingLines }) => ({
    kind: "known" as const,
    isNeeded: findUnfinishedRun(lines) !== null || missingLines > 0,
  }));
  if (needed.kind !== "known") return needed;
  if (!needed.isNeeded) return { kind: "cleared", runId: null };
  const recovery = await recover({ ...request, abandon: false });
  if (recovery.kind === "blocked" || recovery.kind === "refused") return recovery;
  return { kind: "cleared", runId: recovery.kind === "nothing" ? null : recovery.runId };
}
