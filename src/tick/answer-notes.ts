/**
 * Records the answers of reviewers while others of the same round still run.
 *
 * Each of them was paid for, so a crash must not lose the finished ones. Whether a reviewer changed files
 * is only measured when all have ended, and the event says so.
 */
import type { TickEvent } from "../records/event.ts";
import type { Observation } from "../base/manifest.ts";
import type { VerificationRun } from "../records/report.ts";
import type { Review } from "../records/review.ts";
import type { ReviewPlan } from "../checks/pure/review-plan.ts";
import { dropFalseVotes } from "./false-votes.ts";
import type { TickSession } from "./tick-session.ts";
import { appendEvent } from "../workspace/append-event.ts";

interface ReviewRound {
  readonly plan: ReviewPlan;
  readonly remembered: Observation;
  readonly runs: readonly VerificationRun[];
}

export function answerNotes(session: TickSession, round: ReviewRound) {
  const failures: unknown[] = [];
  let line = Promise.resolve();
  const write = async (review: Review): Promise<void> => {
    const reviews = await dropFalseVotes(session, { ...round, reviews: [review] });
    const event: TickEvent = { type: "review_answered", reviews, unmeasured: true };
    await appendEvent(session.journal, session, event);
    session.memory.noted = [...(session.memory.noted ?? []), event];
  };
  return {
    /** Never fails, because the other sessions must continue. */
    record: (review: Review): Promise<void> => {
      // One after the other: a journal has one end.
      line = line.then(() => write(review)).catch((error: unknown) => void failures.push(error));
      return line;
    },
    throwFailure: (): void => {
      if (failures.length > 0) throw failures[0];
    },
  };
}
