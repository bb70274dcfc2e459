/**
 * Asks the reviewers, and puts back whatever changes while they look.
 *
 * Reviewers are programs like any other, so "read-only" is what they are told and not what is relied on: the repository
 * is observed before the first session and after each round of them. What a round changed is kept in salvage and put
 * back, the candidate stays as it is, and nobody of that round has a vote: with one session in it that is the writer.
 */
import type { TickEvent } from "../contract/event.ts";
import { InvariantError } from "../contract/invariant.ts";
import type { Observation } from "../contract/manifest.ts";
import { type Review, REVIEW_LIMITS } from "../contract/review.ts";
import type { ReviewVerdict } from "../core/review/review-plan.ts";
import type { ReviewMatter } from "../core/review/review-prompt.ts";
import type { TickState } from "../core/tick/tick-state.ts";
import { currentTimeMs } from "../io/clock.ts";
import { newDispatch } from "../io/drop-folder.ts";
import { newRunId } from "../io/run-directory.ts";
import { changePatch } from "./change-patch.ts";
import type { Candidate } from "./in-place.ts";
import { runReviewers } from "./review-sessions.ts";
import { keepSalvage } from "./salvage.ts";
import { shippedSchema } from "./shipped-schema.ts";
import { sideEffects } from "./side-effects.ts";
import { interruptionOf, TICK_TIMEOUT } from "./tick-interruption.ts";
import type { ReadyReview, TickSession } from "./tick-session.ts";

/** Announces the sessions, each with the name of a drop folder of its own. */
export function announceReview(session: TickSession): TickEvent {
  const { plan, driver } = reviewOf(session);
  const sessions = plan.reviewers.map(({ name }) => ({ reviewer: name, dispatch: newDispatch() }));
  return { type: "review_started", driver: driver.name, sessions };
}

export async function performReview(session: TickSession, state: TickState): Promise<TickEvent> {
  const review = reviewOf(session);
  const { candidate } = session.memory;
  const announced = state.reviewing?.sessions ?? [];
  if (candidate === null) throw new InvariantError("nothing is there to be reviewed");
  const matter = await matterOf(session, state, candidate);
  const remembered = await session.place.remember();
  const rounds = review.driver.runsSideBySide ? [announced] : announced.map((one) => [one]);
  const reviews: Review[] = [];
  for (const sessions of rounds) {
    const round = await runReviewers(session, { review, matter, sessions });
    if (round.kind === "aborted") return interruptionOf(session.signal);
    if (round.kind === "tick-timed-out") return TICK_TIMEOUT;
    if (round.kind === "rate-limited") return rateLimited(round.message, reviews);
    const wrote = await putBackWriting(session, { candidate, remembered });
    reviews.push(...round.reviews.map((one) => (wrote === null ? one : withoutVote(one, wrote))));
  }
  return concluded(review.plan.verdict(reviews), reviews);
}

function concluded(verdict: ReviewVerdict, reviews: Review[]): TickEvent {
  if (verdict.kind === "approved")
    return { type: "reviewed", code: null, cause: null, message: null, reviews };
  return {
    type: "reviewed",
    code: "STOP_REVIEW_REFUSED",
    cause: verdict.cause.slice(0, 400),
    message: verdict.message.slice(0, 4000),
    reviews,
  };
}

function reviewOf({ work }: TickSession): ReadyReview {
  if (work === null || work.review === null) throw new InvariantError("a tick without reviewers is reviewed");
  return work.review;
}

async function matterOf(
  session: TickSession,
  { task, verified, judged }: TickState,
  { evidence }: Candidate,
): Promise<ReviewMatter> {
  if (task === null) throw new InvariantError("a tick without a task is reviewed");
  const { store, runId } = session;
  return {
    task,
    ...(await changePatch({ store, runId, evidence })),
    runs: verified?.runs ?? [],
    notes: judged?.notes ?? [],
    schema: shippedSchema(reviewOf(session).plan.schema),
  };
}

interface Looking {
  readonly candidate: Candidate;
  /** Everything as it was before the first reviewer came. */
  readonly remembered: Observation;
}

interface Writing {
  readonly paths: readonly string[];
  /** Where it is kept; null where nothing of it could be. */
  readonly salvage: string | null;
}

/** What a round changed and should not have, after it was put back; null where it only looked. */
async function putBackWriting(session: TickSession, looking: Looking): Promise<Writing | null> {
  const { remembered, candidate } = looking;
  const { place, memory, store, stateDirectory } = session;
  const { findings, tolerated } = await sideEffects(session, { ...candidate, observation: remembered });
  if (findings.length === 0) {
    memory.tolerated = [...new Set([...memory.tolerated, ...tolerated])];
    return null;
  }
  // Under a name of its own, because a person may have worked here meanwhile and not the reviewer.
  const runId = newRunId(currentTimeMs());
  const { evidence } = await place.collect(candidate.evidence.rules);
  const kept = await keepSalvage({ store, stateDirectory, runId, code: "STOP_REVIEW_REFUSED", evidence });
  await place.bringBack(remembered);
  const paths = findings.map(({ subject }) => subject).slice(0, REVIEW_LIMITS.paths);
  return { paths, salvage: kept === null || kept.files.length === 0 ? null : runId };
}

function withoutVote(review: Review, { paths, salvage }: Writing): Review {
  const kept = salvage === null ? "" : `; it is kept as ${salvage}`;
  const explanation = `The repository changed while it looked, which was put back${kept}.`;
  return { ...review, vote: "none", cause: "wrote", explanation, reasons: [], wrote: [...paths] };
}

function rateLimited(message: string, reviews: readonly Review[]): TickEvent {
  return { type: "reviewed", code: "STOP_RATE_LIMITED", cause: "reviewer", message, reviews: [...reviews] };
}
