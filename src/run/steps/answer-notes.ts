/**
 * Records the answers of reviewers while others of the same round still run.
 *
 * Each of them was paid for, so a crash must not lose the finished ones. Whether a reviewer changed files
 * is only measured when all have ended, and the event says so.
 */
import type { TickEvent } from "../../contract/journal/event.ts";
import type { Observation } from "../../contract/evidence/manifest.ts";
import type { VerificationRun } from "../../contract/documents/report.ts";
import type { Review } from "../../contract/agents/review.ts";
import type { ReviewPlan } from "../../core/review/review-plan.ts";
import { dropFalseVotes } from "./false-votes.ts";
import type { TickSession } from "../session/tick-session.ts";
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
