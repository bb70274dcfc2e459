import type { Config } from "../../config/config.ts";
import { listPlainChecks } from "../../checks/pure/verification-plan.ts";
import { GOAL_LIMITS, type GoalSettings } from "../../records/goal.ts";

/** As text; null leaves it to the configuration. */
export interface GoalNumbers {
  readonly maxTurns: string | null;
  readonly quorum: string | null;
  readonly reviewers: string | null;
  readonly blockerThreshold: string | null;
}

type GoalOptions = Pick<GoalSettings, "max_turns" | "review_quorum" | "reviewers" | "blocker_threshold">;

export type GoalChoice =
  { readonly kind: "chosen"; readonly chosen: GoalOptions } | { readonly kind: "refused"; readonly message: string };

const LEAST_THRESHOLD = 2;

/** A given value is used or refused; the others adapt to it. */
export function chooseGoalSettings(given: GoalNumbers, { goal, review }: Pick<Config, "goal" | "review">): GoalChoice {
  const maxTurns = readNumber(given.maxTurns, "--max-turns", [1, GOAL_LIMITS.maxTurns]);
  const count = readNumber(given.reviewers, "--reviewers", [1, goal.reviewers.length]);
  if (typeof maxTurns === "string") return refuseChoice(maxTurns);
  if (typeof count === "string") return refuseChoice(count);
  const turns = maxTurns ?? goal.max_turns;
  const reviewers = goal.reviewers.slice(0, count ?? goal.reviewers.length);
  const quorum = readNumber(given.quorum, "--quorum", [1, reviewers.length]);
  if (typeof quorum === "string") return refuseChoice(quorum);
  const highest = Math.max(LEAST_THRESHOLD, turns);
  const threshold = readNumber(given.blockerThreshold, "--blocker-threshold", [LEAST_THRESHOLD, highest]);
  if (typeof threshold === "string") return refuseChoice(threshold);
  return {
    kind: "chosen",
    chosen: {
      max_turns: turns,
      reviewers,
      review_quorum: quorum ?? Math.min(goal.review_quorum, reviewers.length),
      blocker_threshold: threshold ?? Math.min(goal.blocker_threshold ?? review.blocker_threshold, highest),
    },
  };
}

/** The number, null if none was given, or the sentence that refuses it. */
export function readNumber(
  given: string | null,
  option: string,
  [least, most]: readonly [least: number, most: number],
): number | null | string {
  if (given === null) return null;
  const number = /^\d{1,9}$/u.test(given) ? Number(given) : Number.NaN;
  return number >= least && number <= most
    ? number
    : `${option} is a whole number from ${least} to ${most}, not "${given}"`;
}

const refuseChoice = (message: string): GoalChoice => ({ kind: "refused", message });

/** Checked before git sees the revision. */
export function findBaseProblem(ref: string): string | null {
  const isPlain = /^[A-Za-z0-9][A-Za-z0-9._/@+~^-]*$/u.test(ref) && !/\.\.|@\{|\/\/|\.lock(?:\/|$)/u.test(ref);
  if (isPlain && ref.length <= 400) return null;
  return `--base is the name of a branch, a tag or a commit, not "${ref.slice(0, 100)}"`;
}

/** The limit of a task. */
const CHECKS_MAX = 16;

/** The named and the required checks, or all that need no parameter. */
export function listGoalChecks({ goal, verification }: Pick<Config, "goal" | "verification">): readonly string[] {
  const { required = [] } = verification;
  return goal.checks === null ? listPlainChecks(verification) : [...new Set([...goal.checks, ...required])];
}

/** One sentence; null if they can be run. */
export function findGoalChecksProblem(config: Pick<Config, "goal" | "verification">): string | null {
  const checks = listGoalChecks(config);
  const known = listPlainChecks(config.verification);
  const unknown = checks.find((id) => !known.includes(id));
  if (unknown !== undefined)
    return `goal.checks: "${unknown}" is no template of verification.templates that needs no parameter.`;
  if (checks.length <= CHECKS_MAX) return null;
  return `A turn of a goal runs ${CHECKS_MAX} checks at most: name them in goal.checks.`;
}
