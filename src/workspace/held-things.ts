import { HeldFold } from "../journal/pure/held-work.ts";
import type { JournalLine } from "../records/event.ts";
import { type FoldedLines, foldShared } from "../records/folded-lines.ts";
import type { WaitingThing } from "../records/status-answers.ts";

/** Held changes of this worktree, the newest first, each with the command that keeps it. */
export function listHeldHere(journal: FoldedLines, root: string): readonly WaitingThing[] {
  const own = journal
    .fold(HeldFold)
    .list()
    .filter(({ worktree }) => worktree === root);
  return own.toReversed().map(({ runId, what }) => ({
    kind: "held",
    what: `the held change of ${runId} (${what})`,
    command: `relais accept ${runId}`,
  }));
}

export function listHeldThings(lines: readonly JournalLine[], root: string): readonly WaitingThing[] {
  return listHeldHere(foldShared(lines), root);
}
