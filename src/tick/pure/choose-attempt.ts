/**
 * The written rule by which one of several attempts is kept: it passed everything, then more reviewers approve, then
 * it changes fewer lines, then fewer files, then the earlier number.
 */
import type { Attempt, AttemptRule, Attempts } from "../../records/attempts.ts";

const RULES: readonly (readonly [AttemptRule, (attempt: Attempt) => number])[] = [
  ["checks", ({ verdict }) => (verdict === "success" ? 0 : 1)],
  ["votes", ({ votes }) => -(votes?.approved ?? 0)],
  ["lines", ({ lines }) => lines],
  ["files", ({ files }) => files],
  ["number", ({ number }) => number],
];

/** The better one is smaller. */
export function compareAttempts(one: Attempt, other: Attempt): number {
  return RULES.map(([, measure]) => measure(one) - measure(other)).find((difference) => difference !== 0) ?? 0;
}

export function chooseAttempt(list: readonly Attempt[]): Pick<Attempts, "chosen" | "rule"> {
  const [best, second] = list.toSorted(compareAttempts);
  if (best === undefined || best.verdict !== "success") return { chosen: null, rule: null };
  const rule = second && RULES.find(([, measure]) => measure(best) !== measure(second))?.[0];
  return { chosen: best.number, rule: rule ?? null };
}
