/**
 * The status of a goal after the reviews of a turn. The order is fixed: a quorum for completion, the same blocker often
 * enough in a row, the last turn, another turn. Nobody votes on a failed check, and where all votes are missing a person
 * must decide.
 */
import type { BlockerObservation, GoalStatus, ReducerDecision, ReviewRecord } from "../../records/goal.ts";
import { countNoun, shorten } from "../../base/words.ts";

export interface TurnFacts {
  readonly turn: number;
  readonly maxTurns: number;
  readonly quorum: number;
  readonly blockerThreshold: number;
  readonly reviews: readonly ReviewRecord[];
  readonly blockers: readonly BlockerObservation[];
  /** Turns in which no reviewer was asked. */
  readonly unreviewed: readonly number[];
  /** A failed check, or a reverted change. */
  readonly objection: string | null;
}

export interface TurnOutcome {
  readonly status: GoalStatus;
  readonly decision: ReducerDecision;
  readonly observation: BlockerObservation | null;
}

const REASON_CHARS = 4000;

export function reduceTurn(facts: TurnFacts): TurnOutcome {
  const { turn, maxTurns, quorum, reviews, objection } = facts;
  const votes = reviews.filter(({ diagnostic }) => diagnostic === null);
  const completeVotes = votes.filter(({ decision }) => decision === "complete").length;
  const observation = findBlocker(turn, votes);
  const outcome = (status: GoalStatus, reason: string): TurnOutcome => ({
    status,
    observation,
    decision: {
      turn,
      decision: status === "active" ? "continue" : status,
      reason: shorten(reason, REASON_CHARS),
      complete_votes: completeVotes,
      review_quorum: quorum,
      ...(observation === null ? {} : { blocker: observation.blocker, blocker_id: observation.blocker_id }),
    },
  });
  if (reviews.length > 0 && votes.length === 0)
    return outcome("needs_human", `No reviewer has a vote. ${describeRemainingWork(reviews)}`);
  if (completeVotes >= quorum)
    return outcome(
      "complete",
      `${countNoun(completeVotes, "vote")} for complete, and ${quorum} needed: the quorum is met.`,
    );
  const inARow = observation === null ? 0 : countTurnsInARow(observation, facts);
  if (observation !== null && inARow >= facts.blockerThreshold)
    return outcome("blocked", `The same blocker in ${inARow} turns in a row: ${observation.blocker}`);
  const rest = objection ?? describeRemainingWork(reviews);
  if (turn >= maxTurns) return outcome("needs_human", `The last turn has passed without a quorum. ${rest}`);
  return outcome("active", `The goal is not proven reached. ${rest}`);
}

/** Named by most reviewers of a turn; of several the first. */
function findBlocker(turn: number, votes: readonly ReviewRecord[]): BlockerObservation | null {
  const found = new Map<string, BlockerObservation>();
  for (const { decision, blocker, blocker_id, reviewer } of votes) {
    if (decision !== "blocked" || blocker === null || blocker_id === null) continue;
    const earlier = found.get(blocker_id) ?? { turn, blocker_id, blocker, reviewers: [] };
    found.set(blocker_id, { ...earlier, reviewers: [...earlier.reviewers, reviewer] });
  }
  return [...found.values()].reduce<BlockerObservation | null>(
    (most, one) => (most === null || one.reviewers.length > most.reviewers.length ? one : most),
    null,
  );
}

/** The turns up to this one in which a quorum named this blocker, without a gap among those that were reviewed. */
function countTurnsInARow(observation: BlockerObservation, facts: TurnFacts): number {
  const { blockers, quorum, unreviewed } = facts;
  const isSame = ({ blocker_id, reviewers }: BlockerObservation): boolean =>
    blocker_id === observation.blocker_id && reviewers.length >= quorum;
  if (!isSame(observation)) return 0;
  let count = 1;
  for (let turn = observation.turn - 1; turn > 0; turn -= 1) {
    if (unreviewed.includes(turn)) continue;
    const before = blockers.find((one) => one.turn === turn);
    if (before === undefined || !isSame(before)) break;
    count += 1;
  }
  return count;
}

export function describeRemainingWork(reviews: readonly ReviewRecord[]): string {
  const open = reviews.flatMap(({ gaps, blocker }) => [...gaps, ...(blocker === null ? [] : [blocker])]);
  const items = [...new Set(open)];
  return items.length > 0 ? items.join("; ") : "No quorum has proven that the goal is reached.";
}
