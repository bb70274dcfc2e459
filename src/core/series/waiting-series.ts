import type { JournalLine } from "../../contract/journal/event.ts";
import type { LastSeries } from "../../contract/journal/series.ts";
import type { SeriesEnd } from "../../contract/values/codes.ts";
import { listLastOfEachCommand } from "./last-series.ts";

/** Ends after which nothing goes on until a person has decided something. */
const WAITING: readonly SeriesEnd[] = ["needs_human", "stuck", "blocked", "breaker", "stopped"];
const WORKFLOWS = ["goal", "tree", "campaign"];

/** The goals, trees and campaigns of a worktree whose last series ended in a way that a person has to look at. */
export function listWaitingSeries(lines: readonly JournalLine[], worktree: string): readonly LastSeries[] {
  return listLastOfEachCommand(lines, worktree).filter(
    ({ end, options }) =>
      end !== null && WAITING.includes(end) && WORKFLOWS.includes(options.command.split(" ")[0] ?? ""),
  );
}
