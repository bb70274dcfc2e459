import { HELD } from "../../records/suspicions.ts";
import type { Attempt, AttemptRule, Attempts } from "../../records/attempts.ts";
import type { Report } from "../../records/report.ts";
import { isGreenRun } from "./decisive-words.ts";

/** What became of one attempt, from its own report. */

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

/**
 * The written rule by which one of several attempts is kept: it passed everything, or is only held for a person, then more reviewers approve, then
 * it changes fewer lines, then fewer files, then the earlier number.
 */

const RULES: readonly (readonly [AttemptRule, (attempt: Attempt) => number])[] = [
  ["checks", ({ verdict, code }) => (verdict === "success" ? 0 : code === HELD ? 1 : 2)],
  ["votes", ({ votes }) => -(votes?.approved ?? 0)],
  ["lines", ({ lines }) => lines],
  ["files", ({ files }) => files],
  ["number", ({ number }) => number],
];

/** The better one is smaller. */
export function compareAttempts(one: Attempt, other: Attempt): number {
  return RULES.map(([, measure]) => measure(one) - measure(other)).find((difference) => difference !== 0) ?? 0;
}

/** Work that is held is judged and held again where it is adopted. */
export const isUsable = ({ verdict, code }: Pick<Attempt, "verdict" | "code">): boolean =>
  verdict === "success" || code === HELD;

export function chooseAttempt(list: readonly Attempt[]): Pick<Attempts, "chosen" | "rule"> {
  const [best, second] = list.toSorted(compareAttempts);
  if (best === undefined || !isUsable(best)) return { chosen: null, rule: null };
  const rule = second && RULES.find(([, measure]) => measure(best) !== measure(second))?.[0];
  return { chosen: best.number, rule: rule ?? null };
}
