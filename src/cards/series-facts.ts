/** What a series has done and used, in the lines that the cards of all of them share. */
import type { SeriesSummary } from "../records/series.ts";
import { countNoun } from "../base/count-noun.ts";
import type { Fact } from "../base/canvas.ts";
import { formatDuration } from "../base/duration-text.ts";
import { neutralise } from "../base/neutralise.ts";
import { describeAmount } from "./report-words.ts";

export function listSeriesFacts(summary: SeriesSummary): readonly Fact[] {
  return [
    ["ticks", describeTicks(summary.ticks)],
    ["change", describeChange(summary)],
    ["sessions", describeSessions(summary)],
    ["cost", describeCost(summary.usage)],
    ["time", formatDuration(summary.duration_ms)],
  ];
}

function describeTicks({ total, success, attempts, stop, blocked, not_yet = 0 }: SeriesSummary["ticks"]): string {
  const unfinished = total - success - attempts - stop - blocked;
  return [
    `${total}: ${success} kept`,
    ...(attempts === 0 ? [] : [countNoun(attempts, "failed attempt")]),
    ...(not_yet === 0 ? [] : [`${not_yet} not yet`]),
    `${stop - not_yet} stopped`,
    `${blocked} blocked`,
    ...(unfinished === 0 ? [] : [`${unfinished} unfinished`]),
  ].join(", ");
}

function describeChange({ change, commits_total, branch }: SeriesSummary): string {
  const { files_touched, lines_added, lines_deleted } = change;
  const size = `${countNoun(files_touched, "file")}, +${lines_added}/-${lines_deleted}`;
  if (branch === null || commits_total === 0) return `${size}; no commit`;
  return `${size}; ${countNoun(commits_total, "commit")} on ${neutralise(branch)}`;
}

function describeSessions({ budgets }: SeriesSummary): string {
  const { orchestrator_calls, builder_calls, verify_runs, reviewer_calls } = budgets;
  const counts = [
    [orchestrator_calls, "plan"],
    [builder_calls, "build"],
    [verify_runs, "check"],
    [reviewer_calls, "review"],
  ] as const;
  const words = counts.flatMap(([count, noun]) => (count === 0 ? [] : [countNoun(count, noun)]));
  return words.length === 0 ? "none" : words.join(", ");
}

/** Said once for all of it: what nobody reported is not nothing. */
function describeCost(usage: SeriesSummary["usage"]): string {
  const amount = describeAmount(usage);
  if (amount === null) return "not reported";
  const { ticks_unreported } = usage;
  const rest = ticks_unreported === 0 ? "" : `; not reported for ${countNoun(ticks_unreported, "tick")}`;
  return `${amount}, as reported${rest}`;
}

/** The commits of a series so far. */
export function describeCommits({ branch, commits }: { branch: string | null; commits: readonly string[] }): Fact {
  return ["commits", branch === null ? "none" : `${commits.length} on ${neutralise(branch)}`];
}
