import type { SeriesEnd } from "../../contract/values/codes.ts";
import type { JournalLine, TickEvent } from "../../contract/journal/event.ts";
import type { LastSeries, SeriesOptions } from "../../contract/journal/series.ts";

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
export function findResumableSeries(lines: readonly JournalLine[], wanted: SeriesQuery): LastSeries | null {
  const last = findLastSeries(lines, wanted);
  if (last === null || last.options.mode !== wanted.mode) return null;
  return last.end === null || (wanted.resumes ?? RESUMABLE).includes(last.end) ? last : null;
}

/** The series of this worktree that the same command would resume, the newest last. */
export function openSeries(lines: readonly JournalLine[], worktree: string): readonly LastSeries[] {
  return listLastOfEachCommand(lines, worktree).filter(({ end }) => end === null || RESUMABLE.includes(end));
}

/** The newest last. */
export function listLastOfEachCommand(lines: readonly JournalLine[], worktree: string): readonly LastSeries[] {
  const commands = new Set(
    lines.flatMap(({ event }) => (event.type === "tick_started" ? (event.series?.command ?? []) : [])),
  );
  return [...commands]
    .flatMap((command) => findLastSeries(lines, { command, worktree }) ?? [])
    .toSorted((one, other) => (one.runId < other.runId ? -1 : 1));
}

function findLastSeries(
  lines: readonly JournalLine[],
  wanted: Pick<SeriesQuery, "command" | "worktree">,
): LastSeries | null {
  const at = lines.findLastIndex(({ event }) => startsSeries(event, wanted));
  const started = lines[at];
  if (started?.event.type !== "tick_started" || started.event.series === undefined) return null;
  const { series_id: seriesId, run_id: runId } = started;
  const ended = lines.slice(at).findLast((line) => line.event.type === "series_ended" && line.run_id === runId);
  return {
    seriesId,
    runId,
    options: started.event.series,
    ...findLastCommit(lines, seriesId),
    end: ended?.event.type === "series_ended" ? ended.event.end : null,
  };
}

function startsSeries(event: TickEvent, { command, worktree }: Pick<SeriesQuery, "command" | "worktree">): boolean {
  return event.type === "tick_started" && event.series?.command === command && event.worktree === worktree;
}

function findLastCommit(lines: readonly JournalLine[], seriesId: string): Pick<LastSeries, "branch" | "commit"> {
  const settled = lines.findLast(
    ({ series_id, event }) => series_id === seriesId && event.type === "settled" && event.branch !== null,
  );
  if (settled?.event.type !== "settled") return { branch: null, commit: null };
  const { branch, commit } = settled.event;
  return { branch, commit };
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
  return listLastOfEachCommand(lines, worktree).filter(
    ({ end, options }) =>
      end !== null && WAITING.includes(end) && WORKFLOWS.includes(options.command.split(" ")[0] ?? ""),
  );
}
