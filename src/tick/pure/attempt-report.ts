/** What became of one attempt, from its own report. */
import type { Attempt } from "../../records/attempts.ts";
import type { Report } from "../../records/report.ts";
import { isGreenRun } from "./decisive-words.ts";

export interface BegunAttempt {
  readonly number: number;
  readonly agent: Attempt["agent"];
  readonly durationMs: number;
}

export function describeReported({ number, agent, durationMs }: BegunAttempt, report: Report): Attempt {
  const { runs, runs_total: total } = report.verification;
  const { files_touched: files, lines_added, lines_deleted } = report.blast_radius;
  return {
    number,
    agent,
    run_id: report.run_id,
    verdict: report.verdict,
    code: report.code,
    checks: { passed: runs.filter(isGreenRun).length, total },
    votes: countVotes(report),
    files,
    lines: lines_added + lines_deleted,
    duration_ms: Math.round(durationMs),
    usage: sumUsage(report.usage),
    reviewer_calls: report.budgets.reviewer_calls,
    salvaged: false,
  };
}

function countVotes({ review }: Report): Attempt["votes"] {
  if (review === null) return null;
  const approved = review.reviewers.filter(({ vote }) => vote === "approve").length;
  return { approved, total: review.reviewers.length };
}

export const NOTHING_MADE = {
  run_id: null,
  checks: { passed: 0, total: 0 },
  votes: null,
  files: 0,
  lines: 0,
  usage: null,
  reviewer_calls: 0,
};

type Usage = NonNullable<Attempt["usage"]>;

/** What was not reported by any of them stays unknown. */
export function sumUsage(usages: readonly (Usage | null)[]): Usage | null {
  const known = usages.filter((usage) => usage !== null);
  if (known.length === 0) return null;
  const sum = (name: keyof Usage): number | null => {
    const values = known.flatMap((usage) => usage[name] ?? []);
    return values.length === 0 ? null : values.reduce((total, value) => total + value, 0);
  };
  return {
    input_tokens: sum("input_tokens"),
    cached_input_tokens: sum("cached_input_tokens"),
    output_tokens: sum("output_tokens"),
    cost_usd: sum("cost_usd"),
  };
}
