/** Holds what reviewers cite against the repository that they looked at. */
import { isAbsolute, join, relative } from "node:path";
import type { Observation } from "../../contract/evidence/manifest.ts";
import type { VerificationRun } from "../../contract/documents/report.ts";
import { type Review, REVIEW_LIMITS } from "../../contract/agents/review.ts";
import { listCitations, findFalseCitation } from "../../core/review/citations.ts";
import type { ReviewPlan } from "../../core/review/review-plan.ts";
import { shorten } from "../../core/words/shorten.ts";
import { readBounded } from "../../io/files/bounded-file.ts";
import type { TickSession } from "../session/tick-session.ts";

interface ReceivedReviews {
  readonly plan: ReviewPlan;
  readonly reviews: readonly Review[];
  readonly remembered: Observation;
  readonly runs: readonly VerificationRun[];
}

/** A longer file is not read only to count its lines. */
const COUNTED_BYTES_MAX = 8 * 1024 * 1024;

/** The reviews, without the votes of those who cite what is not there. */
export async function dropFalseVotes(session: TickSession, heard: ReceivedReviews): Promise<Review[]> {
  const { plan, reviews, remembered, runs } = heard;
  const checked: Review[] = [];
  for (const review of reviews) {
    const evidence = review.vote === "none" ? [] : (plan.evidenceOf?.(review) ?? []);
    const lines = await countCitedLines(session, evidence, remembered);
    const problem = findFalseCitation(evidence, { linesOf: (path) => lines.get(path) ?? null, runs });
    checked.push(problem === null ? review : dropVote(review, problem));
  }
  return checked;
}

function dropVote(review: Review, problem: string): Review {
  const explanation = shorten(problem, REVIEW_LIMITS.explanationChars);
  return { ...review, vote: "none", cause: "citation_false", explanation, reasons: [] };
}

/** The lines of every file that is cited and was there when it was looked at. */
async function countCitedLines(
  { repository: { root } }: TickSession,
  evidence: readonly string[],
  { worktree }: Observation,
): Promise<ReadonlyMap<string, number>> {
  const lines = new Map<string, number>();
  for (const citation of evidence.flatMap(listCitations)) {
    if (citation.kind !== "file" || lines.get(citation.path) !== undefined) continue;
    const path = stripRoot(root, citation.path);
    const entry = worktree.get(Buffer.from(path.replace(/\/$/u, ""), "utf8").toString("latin1"));
    if (entry === undefined) continue;
    const read = entry.type === "file" ? await readBounded(join(root, path), COUNTED_BYTES_MAX) : null;
    lines.set(citation.path, read?.kind === "read" ? countLines(read.data) : Number.POSITIVE_INFINITY);
  }
  return lines;
}

/** Agents often name files by their whole path. What is outside of the repository stays as it is, and is not found. */
function stripRoot(root: string, path: string): string {
  return isAbsolute(path) ? relative(root, path) : path;
}

function countLines(data: Uint8Array): number {
  const breaks = data.reduce((count, byte) => (byte === 0x0a ? count + 1 : count), 0);
  return data.length > 0 && data.at(-1) !== 0x0a ? breaks + 1 : breaks;
}
