/**
 * The journal of a worktree that may have been moved.
 *
 * A tick is recorded with its folder. If the worktree was moved since, its waiting work and its open
 * series moved with it, so the ticks of the old folder are read as those of the new one.
 */
import type { JournalLine } from "../records/event.ts";
import { type FoldedLines, foldLines, foldShared } from "../records/folded-lines.ts";
import { RunsFold } from "../journal/pure/journal-runs.ts";
import { findStart } from "../tick/pure/tick-facts.ts";
import type { TickRecord } from "../tick/pure/tick-records.ts";
import { isFolder } from "../system/read-files.ts";
import type { Repository } from "../git/repository-layout.ts";
import { findOwnGitPrefix } from "../evidence/pure/own-git-prefix.ts";

/** The lines, with the ticks of this worktree under its present path. */
export function listRepositoryLines(lines: readonly JournalLine[], repository: Repository): readonly JournalLine[] {
  const roots = listRoots(foldShared(lines), repository);
  if (roots.size === 1) return lines;
  const { root } = repository;
  return lines.map((line) => {
    const { event } = line;
    const isMoved = event.type === "tick_started" && roots.has(event.worktree);
    return isMoved ? { ...line, event: { ...event, worktree: root } } : line;
  });
}

/** The same of a journal that may not have been read yet. */
export function foldOfRepository(journal: FoldedLines, repository: Repository): FoldedLines {
  const isMoved = listRoots(journal, repository).size > 1;
  return isMoved ? foldLines(listRepositoryLines(journal.lines(), repository)) : journal;
}

/** The folder of a tick, if its worktree has moved since. */
export function findFormerRoot({ state }: TickRecord, { root }: Repository): string | null {
  const worktree = findStart(state)?.worktree ?? root;
  return worktree === root ? null : worktree;
}

/** The present path of this worktree, and missing folders whose ticks had its git directory. */
export function listRoots(journal: FoldedLines, repository: Repository): ReadonlySet<string> {
  const own = findOwnGitPrefix(repository);
  const others = journal
    .fold(RunsFold)
    .listPlaces()
    .filter(({ gitPrefix }) => gitPrefix === own)
    .map(({ worktree }) => worktree);
  return new Set([repository.root, ...others.filter((path) => path !== repository.root && !isFolder(path))]);
}
