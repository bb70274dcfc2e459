/**
 * Asks the reviewers, and reverts everything that changes meanwhile.
 *
 * "Read-only" is only an instruction to a reviewer, and not relied on: the repository
 * is observed before the first session and after each round. Changes of a round are saved in salvage and
 * reverted, the candidate stays, and no reviewer of that round has a vote.
 */
import type { TickEvent } from "../records/event.ts";
import type { Observation } from "../base/manifest.ts";
import { type Review, REVIEW_LIMITS } from "../records/review.ts";
import type { ReviewPlan, ReviewVerdict } from "../checks/pure/review-plan.ts";
import type { ReviewInput } from "../checks/pure/review-prompt.ts";
import type { Checked, StateIn } from "./pure/tick-state.ts";
import { readClockMs } from "../system/clock.ts";
import { createDispatch } from "../system/drop-folder.ts";
import { createRunId } from "../journal/run-directory.ts";
import { readChangePatch } from "../evidence/change-patch.ts";
import { answerNotes } from "./announce-plan.ts";
import type { Candidate } from "../place/workplace.ts";
import { dropFalseVotes } from "./false-votes.ts";
import { handOver } from "./own-record.ts";
import { type ReviewLimit, runReviewers } from "./review-sessions.ts";
import { keepSalvage } from "../keep/salvage.ts";
import { readSessionSchema } from "../workspace/session-files.ts";
import { listSideEffects } from "../checks/run-stage.ts";
import { readInterruption, type ReadyReview, type RunningTick, TICK_TIMEOUT } from "./running-tick.ts";
import { readCandidate } from "./perform-judge.ts";

type ReviewState = StateIn<"review">;

/** Each session has its own drop folder. */
export function announceReview({ plan, driver }: ReadyReview, state: StateIn<"announce_review">): TickEvent {
  const known = [...listKnownReviews(plan, state), ...state.answers].map(({ name }) => name);
  const sessions = plan.reviewers
    .filter(({ name }) => !known.includes(name))
    .map(({ name }) => ({ reviewer: name, dispatch: createDispatch() }));
  return { type: "review_started", driver: driver.name, sessions };
}

/** Earlier reviews of the same commit; the tick that ran them counted their usage. */
function listKnownReviews({ known, reviewers }: ReviewPlan, { base }: Checked): readonly Review[] {
  if (known === undefined || known === null || known.base !== base.base_commit) return [];
  return known.reviews
    .filter(({ name }) => reviewers.some((one) => one.name === name))
    .map((review) => {
      const { prompt: _, ...opinion } = review;
      return { ...opinion, usage: null };
    });
}

/** Asks the missing reviewers: the next one, or all at once if the driver allows it. */
export async function performReview(session: RunningTick, review: ReadyReview, state: ReviewState): Promise<TickEvent> {
  const { plan } = review;
  const isSideBySide = [review, ...review.others.values()].every(({ driver }) => driver.runsSideBySide);
  const answered = new Set(state.answers.map(({ name }) => name));
  const missing = state.reviewing.sessions.filter(({ reviewer }) => !answered.has(reviewer));
  const sessions = isSideBySide ? missing : missing.slice(0, 1);
  const before = [...listKnownReviews(plan, state), ...state.answers];
  const round = sessions.length === 0 ? [] : await askRound(session, state, { review, sessions });
  if ("type" in round) return round;
  if ("kind" in round) return (await tryHandOver(session, review, round)) ?? endRateLimited(round, before);
  if (missing.length > sessions.length) return { type: "review_answered", reviews: [...round] };
  const reviews = [...before, ...round];
  return concludeReview(plan.verdict(reviews), reviews);
}

/** The reviews of one round, or the event that ends the tick. */
async function askRound(
  session: RunningTick,
  state: ReviewState,
  { review, sessions }: { readonly review: ReadyReview; readonly sessions: ReviewState["reviewing"]["sessions"] },
): Promise<readonly Review[] | TickEvent | LimitedRound> {
  const candidate = readCandidate(session);
  const reviewed = {
    ...(await readMatter(session, state, candidate)),
    schema: readSessionSchema(review.plan.schema),
  };
  const remembered = await session.where.change.observe();
  const { record, throwFailure } = answerNotes(session, { plan: review.plan, remembered, runs: reviewed.runs });
  const isAlone = sessions.length === 1;
  const round = await runReviewers(session, {
    review,
    reviewed,
    workflow: state.started.workflow,
    sessions,
    onReview: isAlone ? () => Promise.resolve() : record,
  });
  throwFailure();
  if (round.kind === "aborted") return readInterruption(session.tick.signal);
  if (round.kind === "tick-timed-out") return TICK_TIMEOUT;
  if (round.kind === "rate-limited") return { ...round, remembered };
  const wrote = await revertWriting(session, candidate, remembered);
  const reviews = round.reviews.map((one) => (wrote === null ? one : dropVote(one, wrote)));
  return dropFalseVotes(session, { plan: review.plan, reviews, remembered, runs: reviewed.runs });
}

interface LimitedRound extends ReviewLimit {
  readonly remembered: Observation;
}

/** The next agent plays the missing reviewers, unless one of this round wrote something. */
async function tryHandOver(
  session: RunningTick,
  review: ReadyReview,
  { remembered, ...limit }: LimitedRound,
): Promise<TickEvent | null> {
  const candidate = readCandidate(session);
  const event = handOver(review, review.plan.role, limit);
  if (event === null) return null;
  return (await revertWriting(session, candidate, remembered)) === null ? event : null;
}

function concludeReview(verdict: ReviewVerdict, reviews: Review[]): TickEvent {
  if (verdict.kind === "approved") return { type: "reviewed", code: null, cause: null, message: null, reviews };
  return {
    type: "reviewed",
    code: "STOP_REVIEW_REFUSED",
    cause: verdict.cause,
    message: verdict.message,
    reviews,
  };
}

async function readMatter(
  { tick: { runId }, where: { store } }: RunningTick,
  { task, verified, judged }: ReviewState,
  { evidence }: Candidate,
): Promise<Omit<ReviewInput, "schema">> {
  return {
    task,
    ...(await readChangePatch(store, runId, evidence)),
    runs: verified?.runs ?? [],
    notes: judged.notes,
  };
}

interface RevertedWriting {
  readonly paths: readonly string[];
  /** Null where nothing could be saved. */
  readonly salvage: string | null;
}

/** The reverted changes of a round; null if there are none. */
async function revertWriting(
  session: RunningTick,
  candidate: Candidate /** Before the first reviewer. */,
  remembered: Observation,
): Promise<RevertedWriting | null> {
  const {
    where: { change, store, stateDirectory },
    left: memory,
  } = session;
  const { findings, tolerated } = await listSideEffects(
    { ...session.where, config: session.tick.config },
    {
      ...candidate,
      observation: remembered,
      isStill: true,
    },
  );
  if (findings.length === 0) {
    memory.tolerated = [...new Set([...memory.tolerated, ...tolerated])];
    return null;
  }
  // Under its own id, because the changes may be a person's and not the reviewer's.
  const runId = createRunId(readClockMs());
  const { evidence } = await change.collect(candidate.evidence.rules);
  const kept = await keepSalvage({ store, stateDirectory, runId, code: "STOP_REVIEW_REFUSED", evidence });
  await change.bringBack(remembered);
  const paths = findings.map(({ subject }) => subject).slice(0, REVIEW_LIMITS.paths);
  return { paths, salvage: kept === null || kept.files.length === 0 ? null : runId };
}

function dropVote(review: Review, { paths, salvage }: RevertedWriting): Review {
  const kept = salvage === null ? "" : `; saved as ${salvage}`;
  const explanation = `The repository changed during the review and was reverted${kept}.`;
  return { ...review, vote: "none", cause: "wrote", explanation, reasons: [], wrote: [...paths] };
}

function endRateLimited({ cause, message, until }: ReviewLimit, reviews: readonly Review[]): TickEvent {
  return {
    type: "reviewed",
    code: "STOP_RATE_LIMITED",
    cause,
    message,
    reviews: [...reviews],
    ...(until === undefined ? {} : { until }),
  };
}
