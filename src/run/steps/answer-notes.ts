/**
 * Records the answers of reviewers while others of the same round still run.
 *
 * Each of them was paid for, so a crash must not lose the finished ones. Whether a reviewer changed files
 * is only measured when all have ended, and the event says so.
 */
import type { Observation } from "../../contract/evidence/manifest.ts";
import type { VerificationRun } from "../../contract/documents/report.ts";
import type { Review } from "../../contract/agents/review.ts";
import type { ReviewPlan } from "../../core/review/review-plan.ts";
import { readClockMs } from "../../io/machine/clock.ts";
import { dropFalseVotes } from "./false-votes.ts";
import type { TickSession } from "../session/tick-session.ts";

interface ReviewRound {
  readonly plan: ReviewPlan;
  readonly remembered: Observation;
  readonly runs: readonly VerificationRun[];
}

interface AnswerNotes {
  /** Never fails, because the other sessions must continue. */
  readonly record: (review: Review) => Promise<void>;
  /** Throws the first failure of `record`. */
  readonly throwFailure: () => void;
}

export function answerNotes(session: TickSession, round: ReviewRound): AnswerNotes {
  const { journal, runId, seriesId } = session;
  const failures: unknown[] = [];
  let line = Promise.resolve();
  const write = async (review: Review): Promise<void> => {
    const reviews = await dropFalseVotes(session, { ...round, reviews: [review] });
    const at = new Date(readClockMs()).toISOString();
    const event = { type: "review_answered", reviews, unmeasured: true } as const;
    await journal.append({ at, run_id: runId, series_id: seriesId, event });
  };
  return {
    record: (review) => {
      // One after the other: a journal has one end.
      line = line.then(() => write(review)).catch((error: unknown) => void failures.push(error));
      return line;
    },
    throwFailure: () => {
      if (failures.length > 0) throw failures[0];
    },
  };
}
