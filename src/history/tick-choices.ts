import type { CommandFailure } from "../records/command-failure.ts";
import { findLastAcceptedRun } from "../journal/pure/journal-runs.ts";
import { listHeldWork } from "../journal/pure/held-work.ts";
import { findRepair } from "../tick/pure/repair.ts";
import { findTickRecord, type TickRecord } from "../tick/pure/tick-records.ts";
import { findSettlement } from "../tick/pure/tick-facts.ts";
import { findWork } from "../keep/keep-work.ts";
import { listRepositoryLines } from "../workspace/lines-of-repository.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";
import type { WorkspaceRequest, WorkspaceSnapshot } from "../workspace/workspace.ts";
import { listLoggedRuns } from "./tick-log.ts";

/** What a person can do about a tick now. */
export type TickChoice = "accept" | "keep" | "reject" | "fix" | "diff" | "undo" | "log";

interface FoundChoices {
  readonly kind: "choices";
  readonly choices: readonly TickChoice[];
}

export function listTickChoices(request: WorkspaceRequest, runId: string): Promise<FoundChoices | CommandFailure> {
  return withSnapshot(request, async (around) => {
    const { lines, repository } = around;
    const own = listRepositoryLines(lines, repository);
    const last = findLastAcceptedRun(own, repository.root);
    const isHeld = listHeldWork(own).some((work) => work.runId === runId);
    const isLast = last?.runId === runId;
    const choices: readonly (readonly [TickChoice, boolean])[] = [
      ["accept", isLast && !findSettlement(last.state).isCommitted],
      ["keep", isHeld],
      ["reject", isHeld],
      ["fix", canRepair(findTickRecord(lines, runId))],
      ["diff", await hasChange(around, runId)],
      ["undo", isLast],
      ["log", listLoggedRuns(lines).includes(runId)],
    ];
    return { kind: "choices", choices: choices.filter(([, isPossible]) => isPossible).map(([choice]) => choice) };
  });
}

function canRepair(record: TickRecord | null): boolean {
  return record !== null && findRepair(record, null) !== null;
}

async function hasChange(around: WorkspaceSnapshot, runId: string): Promise<boolean> {
  const kept = await Promise.all((["accepted", "salvage"] as const).map((kind) => findWork(around, kind, runId)));
  return kept.some((found) => found.kind === "found" && found.work.files.length > 0);
}
