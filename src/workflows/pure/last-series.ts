import type { SeriesEnd } from "../../base/codes.ts";
import type { JournalLine } from "../../records/event.ts";
import { type FoldedLines, foldShared, type LineFold } from "../../records/folded-lines.ts";
import type { LastSeries, SeriesOptions } from "../../records/series.ts";

/** Nothing was decided, or a person was only asked. */
const RESUMABLE: readonly SeriesEnd[] = ["interrupted", "paused", "needs_human"];

interface SeriesQuery {
  readonly command: string;
  readonly mode: SeriesOptions["mode"];
  /** Linked worktrees share a journal. */
  readonly worktree: string;
  readonly resumes?: readonly SeriesEnd[];
}

/** Its process was killed or interrupted, or it asked a person. */
export function findResumableSeries(journal: FoldedLines, wanted: SeriesQuery): LastSeries | null {
  const last = findLastSeries(journal, wanted);
  if (last === null || last.options.mode !== wanted.mode) return null;
  return last.end === null || (wanted.resumes ?? RESUMABLE).includes(last.end) ? last : null;
}

/** The series of this worktree that the same command would resume, the newest last. */
export function openSeries(lines: readonly JournalLine[], worktree: string): readonly LastSeries[] {
  return keepOpenSeries(listLastOfEachCommand(lines, worktree));
}

export function keepOpenSeries(series: readonly LastSeries[]): readonly LastSeries[] {
  return series.filter(({ end }) => end === null || RESUMABLE.includes(end));
}

/** The newest last. */
export function listLastOfEachCommand(lines: readonly JournalLine[], worktree: string): readonly LastSeries[] {
  return foldShared(lines).fold(SeriesFold).list(worktree);
}

/** The last series of a command in a worktree. */
export function findLastSeries(
  journal: FoldedLines,
  { command, worktree }: Pick<SeriesQuery, "command" | "worktree">,
): LastSeries | null {
  const all = journal.fold(SeriesFold).list(worktree);
  return all.find(({ options }) => options.command === command) ?? null;
}

type SeriesStart = Omit<LastSeries, "branch" | "commit"> & { readonly worktree: string };
type LastCommit = Pick<LastSeries, "branch" | "commit">;

/** The last series of each command in each worktree. */
export class SeriesFold implements LineFold {
  private readonly starts = new Map<string, SeriesStart>();
  private readonly commits = new Map<string, LastCommit>();

  take = ({ run_id: runId, series_id: seriesId, event }: JournalLine): void => {
    if (event.type === "tick_started" && event.series !== undefined) {
      const { series: options, worktree } = event;
      this.starts.set(JSON.stringify([options.command, worktree]), { seriesId, runId, options, worktree, end: null });
    }
    if (event.type === "series_ended")
      for (const [key, start] of this.starts)
        if (start.runId === runId) this.starts.set(key, { ...start, end: event.end });
    if (event.type === "settled" && event.branch !== null)
      this.commits.set(seriesId, { branch: event.branch, commit: event.commit });
  };

  /** The newest last. */
  list(worktree: string): readonly LastSeries[] {
    return [...this.starts.values()]
      .filter((start) => start.worktree === worktree)
      .map(({ seriesId, runId, options, end }) => ({ seriesId, runId, options, ...this.findCommit({ seriesId }), end }))
      .toSorted((one, other) => (one.runId < other.runId ? -1 : 1));
  }

  /** Without the commits of other series. */
  save(): string {
    return JSON.stringify([...this.starts].map(([key, start]) => [key, start, this.findCommit(start)]));
  }

  load(text: string): void {
    const saved: readonly [string, SeriesStart, LastCommit][] = JSON.parse(text);
    for (const [key, start, commit] of saved) {
      this.starts.set(key, start);
      this.commits.set(start.seriesId, commit);
    }
  }

  private findCommit({ seriesId }: Pick<SeriesStart, "seriesId">): LastCommit {
    return this.commits.get(seriesId) ?? { branch: null, commit: null };
  }
}

/** Every end but `complete` and those of a loop. */
export const RESUMABLE_ENDS: readonly SeriesEnd[] = [
  "interrupted",
  "paused",
  "needs_human",
  "blocked",
  "stopped",
  "timeout",
  "budget_warning",
];

/** Ends that need a person's decision. */
const WAITING: readonly SeriesEnd[] = ["needs_human", "stuck", "blocked", "breaker", "stopped", "timeout"];
const WORKFLOWS = ["goal", "tree", "campaign"];

/** Goals, trees and campaigns that wait for a person. */
export function listWaitingSeries(lines: readonly JournalLine[], worktree: string): readonly LastSeries[] {
  return keepWaitingSeries(listLastOfEachCommand(lines, worktree));
}

export function keepWaitingSeries(series: readonly LastSeries[]): readonly LastSeries[] {
  return series.filter(
    ({ end, options }) =>
      end !== null && WAITING.includes(end) && WORKFLOWS.includes(options.command.split(" ")[0] ?? ""),
  );
}
