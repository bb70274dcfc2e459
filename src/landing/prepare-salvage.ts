/**
 * Puts saved work on top of the worktree as it is now.
 *
 * Both sides of the work are saved as bytes of the worktree, so no commit and no filter is needed. Paths that are
 * still as they were before the work take its result; all others are merged with it.
 */
import { refuse, type Refusal } from "../records/command-failure.ts";
import type { KeptWork } from "../records/kept-work.ts";
import type { JournalLine } from "../records/event.ts";
import { countNoun } from "../base/count-noun.ts";
import { findWork } from "../keep/keep-work.ts";
import type { LandingGround, PreparedLanding } from "./landing-ground.ts";
import { placeWork } from "./place-work.ts";

interface SalvageGround extends LandingGround {
  readonly stateDirectory: string;
  readonly lines: readonly JournalLine[];
}

export async function prepareSalvage(ground: SalvageGround, runId: string): Promise<PreparedLanding> {
  const found = await findWork(ground, "salvage", runId);
  if (found.kind === "missing")
    return refuseSalvage(runId, { cause: "unknown_run", message: `Nothing is saved for ${runId}.` });
  if (found.kind === "damaged")
    return refuseSalvage(runId, {
      cause: "salvage_damaged",
      message: `The salvage of ${runId} is damaged: ${found.reason}.`,
    });
  const { work } = found;
  const reason = findGap(work);
  if (reason !== null) return refuseSalvage(runId, reason);
  const summary = `${countNoun(work.files.length, "file")} of ${runId}`;
  const placed = await placeWork(ground, work);
  if (placed.kind === "conflict") return placed;
  if (placed.moves.length === 0)
    return refuseSalvage(runId, { cause: "landed_already", message: `Everything of ${runId} is here already.` });
  return {
    kind: "prepared",
    subjects: [],
    task: work.task,
    landing: { name: runId, moves: placed.moves, commits: null, summary },
  };
}

/** Why it cannot land as a whole. */
function findGap({ run_id: runId, left_out: leftOut, files }: KeptWork): SalvageReason | null {
  const missing = leftOut.filter(({ reason }) => reason !== "ignored" && reason !== "runner_owned");
  if (missing.length > 0) {
    const paths = missing.map(({ path }) => path);
    return { cause: "salvage_incomplete", message: `The salvage of ${runId} does not hold all of its work.`, paths };
  }
  return files.length === 0 ? { cause: "salvage_empty", message: `${runId} changed nothing.` } : null;
}

interface SalvageReason {
  readonly cause: string;
  readonly message: string;
  readonly paths?: readonly string[];
}

function refuseSalvage(runId: string, reason: SalvageReason): Refusal {
  return refuse({ runId, ...reason, next: "See `relais salvage`." });
}
