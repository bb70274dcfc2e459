/** One round of reviewers: sessions that run side by side, each with a prompt, a drop folder and files of its own. */
import { join } from "node:path";
import { type PromptSize, type Review, REVIEW_LIMITS } from "../records/review.ts";
import type { SessionReply } from "../agents/driver.ts";
import { InvariantError, MeasurementError, unreachable } from "../base/errors.ts";
import { extractAnswer } from "../base/strict-json.ts";
import type { ReviewPlan } from "../checks/pure/review-plan.ts";
import { type ReviewInput, reviewPrompt } from "../checks/pure/review-prompt.ts";
import { sumUsage } from "./pure/attempt-report.ts";
import { shorten } from "../base/words.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { readClockMs } from "../system/clock.ts";
import { type DropFolder, openDropFolder } from "../system/drop-folder.ts";
import { comparePrompt } from "./compare-prompt.ts";
import type { ReadyReview, OpenTick } from "./running-tick.ts";
import { restoreOutputFile, runAgent } from "./run-agent.ts";

interface AnnouncedSession {
  readonly reviewer: string;
  readonly dispatch: string;
}

interface RoundRequest {
  readonly review: ReadyReview;
  readonly reviewed: ReviewInput;
  readonly workflow: string;
  readonly sessions: readonly AnnouncedSession[];
  /** Called with each review as soon as its session has ended. */
  readonly onReview: (review: Review) => Promise<void>;
}

type ReviewRound =
  | { readonly kind: "answered"; readonly reviews: readonly Review[] }
  | { readonly kind: "aborted" }
  | { readonly kind: "tick-timed-out" }
  | ReviewLimit;

/** `until` is when the last of the limited reviewers is available again. */
export interface ReviewLimit {
  readonly kind: "rate-limited";
  readonly cause: string;
  readonly message: string;
  readonly until?: string;
  /** Of the sessions whose answers are in no line; null if they reported nothing. */
  readonly usage: Review["usage"];
}

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** Leaves nothing in the repository. */
export async function runReviewers(session: OpenTick, request: RoundRequest): Promise<ReviewRound> {
  const { sessions, review, onReview } = request;
  const remainingMs = session.tick.deadlineAt - readClockMs();
  const answers = await withDropFolders(session, sessions, (drops) =>
    Promise.all(
      drops.map(async ({ drop, reviewer }) => {
        const answer = await askReviewer(session, { ...request, drop, reviewer, remainingMs });
        if (answer.reply.kind === "finished") await onReview(makeReview(review.plan, reviewer, answer));
        return answer;
      }),
    ),
  );
  for (const agent of [review, ...review.others.values()]) await restoreOutputFile(session, agent);
  const replies = answers.map(({ reply }) => reply);
  const undead = replies.flatMap((reply) => reply.undead.map(({ pid }) => pid));
  if (undead.length > 0)
    throw new MeasurementError("the reviewers", `their processes cannot be stopped: ${undead.join(", ")}`);
  return findRoundEnd(request.review, replies, remainingMs) ?? (await readAnswers(session, request, answers));
}

/** All folders exist before the first session starts and are removed after the last one, in reverse order. */
async function withDropFolders<T>(
  {
    tick: { config },
    where: {
      place: { tree, cwd },
    },
  }: OpenTick,
  sessions: readonly AnnouncedSession[],
  work: (drops: readonly { readonly drop: DropFolder; readonly reviewer: string }[]) => Promise<T>,
): Promise<T> {
  const drops: { readonly drop: DropFolder; readonly reviewer: string }[] = [];
  const place = { root: tree, cwd, workspaceDir: config.workspace_dir };
  try {
    for (const { reviewer, dispatch } of sessions)
      drops.push({ reviewer, drop: await openDropFolder({ ...place, dispatch }) });
    return await work(drops);
  } finally {
    for (const { drop } of drops.toReversed()) await drop.remove();
  }
}

interface ReviewerRequest extends RoundRequest {
  readonly drop: DropFolder;
  readonly reviewer: string;
  readonly remainingMs: number;
}

interface ReviewerAnswer {
  readonly reply: SessionReply;
  readonly prompt: PromptSize;
}

async function askReviewer(session: OpenTick, asked: ReviewerRequest): Promise<ReviewerAnswer> {
  const { review, reviewed, drop, reviewer: name, remainingMs, workflow } = asked;
  const { plan } = review;
  const agent = review.others.get(name) ?? review;
  const { limits } = agent;
  const reviewer = plan.reviewers.find((one) => one.name === name);
  if (reviewer === undefined) throw new InvariantError(`unknown reviewer ${name}`);
  const prompt = (plan.prompt ?? reviewPrompt)(reviewer, reviewed);
  session.where.store.redo.write(join(session.where.runDirectory, `${plan.role}-${name}.prompt.txt`), prompt);
  const size = comparePrompt(session, [workflow, plan.role, name], prompt);
  const reply = await runAgent(session, agent, {
    role: plan.role,
    name,
    prompt,
    schema: reviewed.schema,
    maxTurns: limits.maxTurns,
    taskText: `${JSON.stringify(reviewed.task, null, 2)}\n`,
    drop,
    timeoutMs: Math.min(limits.timeoutMs ?? Number.POSITIVE_INFINITY, remainingMs),
    outputBytesMax: OUTPUT_BYTES_MAX,
  });
  return { reply, prompt: size };
}

/** What ends the whole tick. */
function findRoundEnd(
  { plan, limits }: ReadyReview,
  replies: readonly SessionReply[],
  remainingMs: number,
): ReviewRound | null {
  if (replies.some(({ kind }) => kind === "aborted")) return { kind: "aborted" };
  const isTicks = remainingMs <= (limits.timeoutMs ?? Number.POSITIVE_INFINITY);
  const isLate = replies.some((reply) => reply.kind === "timed-out" && reply.limit === "time");
  if (isLate && isTicks) return { kind: "tick-timed-out" };
  return findLimit(plan, replies);
}

/** All of them are asked again after the wait, so it must be long enough for each. */
function findLimit({ role }: ReviewPlan, replies: readonly SessionReply[]): ReviewLimit | null {
  const limits = replies.flatMap((reply) =>
    reply.kind === "failed" && reply.code === "STOP_RATE_LIMITED" ? [reply] : [],
  );
  const [first] = limits;
  if (first === undefined) return null;
  const [last] = limits.flatMap(({ until }) => until ?? []).toSorted((a, b) => Date.parse(b) - Date.parse(a));
  return {
    kind: "rate-limited",
    cause: `${role}_${first.cause}`,
    message: first.message,
    ...(last === undefined ? {} : { until: last }),
    usage: sumUsage(replies.map((reply) => (reply.kind === "failed" ? (reply.usage ?? null) : null))),
  };
}

async function readAnswers(
  { where: { runDirectory } }: OpenTick,
  { review: { plan }, sessions }: RoundRequest,
  answers: readonly ReviewerAnswer[],
): Promise<ReviewRound> {
  const reviews: Review[] = [];
  for (const [index, { reviewer }] of sessions.entries()) {
    const answer = answers[index];
    if (answer === undefined) throw new InvariantError("a reviewer did not answer at all");
    const { reply } = answer;
    if (reply.kind === "finished" && reply.result.kind === "left") {
      const name = `${plan.role}-${reviewer}.decision`;
      await writeAtomic(join(runDirectory, name), Buffer.from(reply.result.data), { mode: 0o600 });
    }
    reviews.push(makeReview(plan, reviewer, answer));
  }
  return { kind: "answered", reviews };
}

function makeReview(plan: ReviewPlan, name: string, { reply, prompt }: ReviewerAnswer): Review {
  const usage = reply.kind === "finished" || reply.kind === "failed" ? (reply.usage ?? null) : null;
  const said = { name, ...readOpinion(plan, reply), ...readRaw(reply) };
  return { ...said, wrote: [], duration_ms: Math.round(reply.durationMs), usage, prompt };
}

function readRaw(reply: SessionReply): Pick<Review, "raw"> {
  if (reply.kind !== "finished" || reply.result.kind !== "left") return {};
  return { raw: shorten(Buffer.from(reply.result.data).toString("utf8"), REVIEW_LIMITS.rawChars) };
}

type Answer = Pick<Review, "vote" | "cause" | "decision" | "explanation" | "reasons">;

function readOpinion(plan: ReviewPlan, reply: SessionReply): Answer {
  switch (reply.kind) {
    case "finished":
      return reply.result.kind === "left"
        ? readAnswer(plan, reply.result.data)
        : withholdVote(reply.result.cause, reply.result.message);
    case "failed":
      return withholdVote(reply.cause, reply.message);
    case "timed-out":
      return withholdVote(reply.limit === "idle" ? "idle_timeout" : "timeout", "It timed out.");
    case "not-found":
      return withholdVote("not_found", reply.message);
    case "aborted":
      return withholdVote("aborted", "It was stopped.");
    default:
      return unreachable(reply);
  }
}

function readAnswer(plan: ReviewPlan, data: Uint8Array): Answer {
  const extracted = extractAnswer(data);
  if (extracted.kind === "refused") return withholdVote(`result_${extracted.cause}`, extracted.message);
  const read = plan.read(extracted.value);
  if (read.kind === "invalid") return withholdVote("decision_invalid", read.message);
  const { vote, explanation, reasons } = read.opinion;
  return {
    vote,
    cause: null,
    decision: { ...extracted.value },
    explanation: shorten(explanation, REVIEW_LIMITS.explanationChars),
    reasons: reasons.slice(0, REVIEW_LIMITS.reasons).map((reason) => shorten(reason, REVIEW_LIMITS.reasonChars)),
  };
}

/** A reviewer that failed, timed out or gave no readable answer has not approved. */
function withholdVote(cause: string, message: string): Answer {
  const explanation = shorten(message, REVIEW_LIMITS.explanationChars);
  return { vote: "none", cause: shorten(cause, 400), decision: null, explanation, reasons: [] };
}
