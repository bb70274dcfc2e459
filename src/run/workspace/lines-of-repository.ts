/**
 * The journal of a worktree that may have been moved.
 *
 * A tick is recorded with its folder. If the worktree was moved since, its waiting work and its open
 * series moved with it, so the ticks of the old folder are read as those of the new one.
 */
import type { JournalLine } from "../../contract/journal/event.ts";
import type { TickRecord } from "../../core/tick/tick-records.ts";
import { isFolder } from "../../io/files/is-folder.ts";
import type { Repository } from "../../io/git/repository-layout.ts";
import { findOwnGitPrefix } from "../evidence/own-git-prefix.ts";

/** The lines, with the ticks of this worktree under its present path. */
export function listRepositoryLines(lines: readonly JournalLine[], repository: Repository): readonly JournalLine[] {
  const former = listFormerRoots(lines, repository);
  if (former.size === 0) return lines;
  const { root } = repository;
  return lines.map((line) => {
    const { event } = line;
    const isMoved = event.type === "tick_started" && former.has(event.worktree ?? root);
    return isMoved ? { ...line, event: { ...event, worktree: root } } : line;
  });
}

/** The folder of a tick, if its worktree has moved since. */
export function findFormerRoot(
  { runId }: TickRecord,
  lines: readonly JournalLine[],
  { root }: Repository,
): string | null {
  const started = lines.find((line) => line.run_id === runId && line.event.type === "tick_started")?.event;
  const worktree = started?.type === "tick_started" ? (started.worktree ?? root) : root;
  return worktree === root ? null : worktree;
}

/** Missing folders whose ticks had the git directory of this worktree. */
function listFormerRoots(lines: readonly JournalLine[], repository: Repository): ReadonlySet<string> {
  const own = findOwnGitPrefix(repository);
  const others = lines.flatMap(({ event }) => {
    if (event.type !== "tick_started" || event.worktree === repository.root) return [];
    return (event.git_prefix ?? own) === own ? (event.worktree ?? []) : [];
  });
  return new Set([...new Set(others)].filter((path) => !isFolder(path)));
}
