import type { CampaignIssue, CampaignVerdict } from "../../records/campaign-messages.ts";
import type { CampaignSettings } from "../../records/campaign.ts";

export type Verdict = CampaignVerdict["verdict"];

/** Only all of them together pass; one `blocked` blocks. */
export function combineVerdicts(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes("blocked")) return "blocked";
  if (verdicts.includes("fail")) return "fail";
  return verdicts.includes("request_info") ? "request_info" : "pass";
}

export function countFailures(failures: number, verdict: Verdict): number {
  if (verdict === "fail") return failures + 1;
  return verdict === "pass" ? 0 : failures;
}

type CampaignLimits = CampaignSettings["limits"];

/** `fail` verdicts in a row about one criterion, and without a common one, after which there is one last try. */
const SAME_CRITERION = 2;
const DISTINCT_CRITERIA = 3;
/** Iterations in a row with an unchanged context that block a campaign. */
const CONTEXT_UNCHANGED = 3;

export type FixBreaker = "same_criterion" | "distinct_criteria";

/**
 * The breaker of the last `fail` verdicts. Each entry of the chain holds the criteria of one of them, the newest last;
 * a `pass` empties the chain, and `request_info` is not in it.
 */
export function findFixBreaker(chain: readonly (readonly string[])[]): FixBreaker | null {
  if (isSame(chain.slice(-SAME_CRITERION), SAME_CRITERION)) return "same_criterion";
  return isDistinct(chain.slice(-DISTINCT_CRITERIA), DISTINCT_CRITERIA) ? "distinct_criteria" : null;
}

function isSame(last: readonly (readonly string[])[], wanted: number): boolean {
  const [first = [], ...others] = last;
  return last.length === wanted && first.some((criterion) => others.every((one) => one.includes(criterion)));
}

function isDistinct(last: readonly (readonly string[])[], wanted: number): boolean {
  const all = last.flatMap((criteria) => [...new Set(criteria)]);
  return last.length === wanted && last.every((criteria) => criteria.length > 0) && new Set(all).size === all.length;
}

export function decideAfterFail(tripped: FixBreaker | null, isLastTry: boolean): "fix" | "last_try" | "blocked" {
  if (isLastTry) return "blocked";
  return tripped === null ? "fix" : "last_try";
}

export function isTooManyRequests(inARow: number, { request_info }: CampaignLimits): boolean {
  return inARow > request_info;
}

export function isContextStuck(unchangedInARow: number): boolean {
  return unchangedInARow >= CONTEXT_UNCHANGED;
}

interface ModelFacts {
  readonly named: string | null;
  readonly usual: string | null;
  readonly upgraded: string | null;
  readonly hasFailed: boolean;
  readonly isLastTry: boolean;
}

export function chooseWorkerModel({ named, usual, upgraded, hasFailed, isLastTry }: ModelFacts): string | null {
  if (named !== null) return named;
  return hasFailed || isLastTry ? upgraded : usual;
}

export function listCriteria(issues: readonly CampaignIssue[]): readonly string[] {
  return [...new Set(issues.map(({ criterion }) => criterion))];
}
