/** What a further try goes on with: the task and the saved work of an earlier tick. */
import { type Choices, chooseGlobs } from "../config/choices.ts";
import { findRun } from "../journal/pure/journal-runs.ts";
import { type CommandFailure, refuse, type Refusal } from "../records/command-failure.ts";
import type { JournalLine } from "../records/event.ts";
import type { LandingMove } from "../workflows/pure/workflow.ts";
import { type Misuse, reportMisuse } from "../workspace/misuse.ts";
import type { LockedWorkspace } from "../workspace/workspace.ts";
import { type ExecuteTask, findRepair, type FoundRepair } from "./pure/repair.ts";
import { findLeftOut, findOutcome, findSettled } from "./pure/tick-facts.ts";
import { findTickRecord, type TickRecord } from "./pure/tick-records.ts";
import { SENTENCE_ID } from "./read-sentence.ts";

export interface Repairing {
  readonly kind: "repair";
  readonly asked: string | null;
  readonly words: string | null;
  /** The sentence, where the same command has it from a person; absent is what the words say. */
  readonly typed?: string;
}

export interface GivenRepair extends FoundRepair {
  readonly kind: "repair";
  /** What a person typed for it, now or in the same command. */
  readonly typed: string;
  /** Whether the tick before it left out required checks, which only a person can. */
  readonly leavesOut: boolean;
}

export interface SavedWork {
  /** The tick that made it. */
  readonly runId: string;
  /** What a person may ask for once more; null where that was no sentence. */
  readonly sentence: string | null;
}

export type PlacedSalvage =
  | { readonly kind: "placed"; readonly moves: readonly LandingMove[] }
  /** It is written as far as its paths are as they were. */
  | { readonly kind: "as_it_is" };

export type PlaceSalvage = (
  workspace: LockedWorkspace,
  saved: SavedWork,
  signal: AbortSignal,
) => Promise<PlacedSalvage | CommandFailure>;

export function readRepair(
  lines: readonly JournalLine[],
  { asked, words, typed }: Repairing,
  choices: Choices,
): GivenRepair | Misuse | Refusal {
  const chosen = findRun(asked, [...new Set(lines.map(({ run_id: runId }) => runId))].toReversed());
  if (chosen.kind === "several")
    return reportMisuse(`"${asked ?? ""}" matches several ticks`, chosen.runIds.slice(0, 10));
  const record = chosen.kind === "run" ? findTickRecord(lines, chosen.runId) : null;
  if (record === null) return refuseUnknown(asked);
  const found = findRepair(record, words);
  if (found === null) return refuseRepair(record);
  const task = widenTask(found.task, choices);
  const isSame = JSON.stringify(task) === JSON.stringify(found.task);
  const repair = isSame ? found.repair : { ...found.repair, resumedPrompt: null };
  const leavesOut = findLeftOut(record.state).length > 0;
  return { kind: "repair", ...found, repair, task, typed: typed ?? words ?? "", leavesOut };
}

function refuseUnknown(asked: string | null): Misuse | Refusal {
  if (asked !== null) return reportMisuse(`there is no tick ${asked}; see \`relais history\``);
  const next = 'Run one: `relais run "…"`.';
  return refuse({ cause: "nothing_there", message: "No tick has been recorded yet.", next });
}

/** Only by what a person adds now. */
function widenTask(task: ExecuteTask, choices: Choices): ExecuteTask {
  const { scope } = task;
  return {
    ...task,
    scope: {
      ...scope,
      allowed_globs: chooseGlobs(scope.allowed_globs, choices),
      allow_new_files: choices.new_files ?? scope.allow_new_files,
    },
  };
}

function refuseRepair({ runId, state }: TickRecord): Refusal {
  const code = findOutcome(state)?.code ?? null;
  const salvage = findSettled(state)?.salvage ?? null;
  const next =
    code === "SUCCESS"
      ? `Its change passed; see \`relais diff ${runId}\`.`
      : `Say what to change instead: \`relais run "…"\`.${salvage === null ? "" : ` Its work: \`relais salvage show ${runId}\`.`}`;
  const message = `${runId} (${code ?? "not ended"}) is no work that an agent can go on with.`;
  return refuse({ cause: "not_repairable", message, next });
}

/** The same work on top of what is checked out now. */
export async function placeRepaired(
  given: GivenRepair,
  { placeSalvage, workspace, signal }: Placing,
): Promise<GivenRepair | CommandFailure> {
  const { task, repair } = given;
  if (repair.salvage === null || placeSalvage === undefined) return given;
  const sentence = task.task_id.startsWith(SENTENCE_ID) ? (task.builder?.instructions ?? null) : null;
  const placed = await placeSalvage(workspace, { runId: repair.salvage, sentence }, signal);
  if (placed.kind === "as_it_is") return given;
  return placed.kind === "placed" ? { ...given, repair: { ...repair, moves: placed.moves } } : placed;
}

interface Placing {
  readonly placeSalvage?: PlaceSalvage;
  readonly workspace: LockedWorkspace;
  readonly signal: AbortSignal;
}
