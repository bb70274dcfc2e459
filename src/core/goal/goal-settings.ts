import type { Config } from "../../contract/config/config.ts";
import { GOAL_LIMITS, type GoalSettings } from "../../contract/workflows/goal.ts";

/** The numbers that a person gave, as text; null where the configuration decides. */
export interface GoalNumbers {
  readonly maxTurns: string | null;
  readonly quorum: string | null;
  readonly reviewers: string | null;
  readonly blockerThreshold: string | null;
}

type Chosen = Pick<GoalSettings, "max_turns" | "review_quorum" | "reviewers" | "blocker_threshold">;

export type GoalChoice =
  | { readonly kind: "chosen"; readonly chosen: Chosen }
  /** One sentence that names the option and its range. */
  | { readonly kind: "refused"; readonly message: string };

const LEAST_THRESHOLD = 2;

/** The settings of a goal. What was given is taken or refused; what was not gives way to what was. */
export function chooseGoalSettings(given: GoalNumbers, { goal, review }: Pick<Config, "goal" | "review">): GoalChoice {
  const maxTurns = readNumber(given.maxTurns, "--max-turns", [1, GOAL_LIMITS.maxTurns]);
  const count = readNumber(given.reviewers, "--reviewers", [1, goal.reviewers.length]);
  if (typeof maxTurns === "string") return refused(maxTurns);
  if (typeof count === "string") return refused(count);
  const turns = maxTurns ?? goal.max_turns;
  const reviewers = goal.reviewers.slice(0, count ?? goal.reviewers.length);
  const quorum = readNumber(given.quorum, "--quorum", [1, reviewers.length]);
  if (typeof quorum === "string") return refused(quorum);
  const highest = Math.max(LEAST_THRESHOLD, turns);
  const threshold = readNumber(given.blockerThreshold, "--blocker-threshold", [LEAST_THRESHOLD, highest]);
  if (typeof threshold === "string") return refused(threshold);
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

/** The number, null where none was given, or the sentence that refuses it. */
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

const refused = (message: string): GoalChoice => ({ kind: "refused", message });

/** Why a revision to compare with is refused before git is asked about it; null where it is not. */
export function findBaseProblem(ref: string): string | null {
  const isPlain = /^[A-Za-z0-9][A-Za-z0-9._/@+~^-]*$/u.test(ref) && !/\.\.|@\{|\/\/|\.lock(?:\/|$)/u.test(ref);
  if (isPlain && ref.length <= 400) return null;
  return `--base is the name of a branch, a tag or a commit, not "${ref.slice(0, 100)}"`;
}
