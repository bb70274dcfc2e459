/** Checks the citations of reviewers against the repository that they saw. */
import { isAbsolute, join, relative } from "node:path";
import type { Observation } from "../base/manifest.ts";
import type { VerificationRun } from "../records/report.ts";
import { type Review, REVIEW_LIMITS } from "../records/review.ts";
import { listCitations, findFalseCitation } from "../checks/pure/citations.ts";
import type { ReviewPlan } from "../checks/pure/review-plan.ts";
import { shorten } from "../base/words.ts";
import { findObserved } from "../evidence/pure/rewind.ts";
import { readBounded } from "../system/bounded-file.ts";
import { toBytePath } from "../system/byte-path.ts";
import { findEntryAt } from "../system/walk.ts";
import type { OpenTick } from "./running-tick.ts";

interface ReceivedReviews {
  readonly plan: ReviewPlan;
  readonly reviews: readonly Review[];
  readonly remembered: Observation;
  readonly runs: readonly VerificationRun[];
}

/** Lines of larger files are not counted. */
const COUNTED_BYTES_MAX = 8 * 1024 * 1024;

/** Drops the votes of reviewers with false citations. */
export async function dropFalseVotes(session: OpenTick, received: ReceivedReviews): Promise<Review[]> {
  const { plan, reviews, remembered, runs } = received;
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

/** Only of cited files that existed during the review. */
async function countCitedLines(
  { where: { place } }: OpenTick,
  evidence: readonly string[],
  remembered: Observation,
): Promise<ReadonlyMap<string, number>> {
  const lines = new Map<string, number>();
  for (const citation of evidence.flatMap(listCitations)) {
    if (citation.kind !== "file" || lines.get(citation.path) !== undefined) continue;
    // Agents often name files by absolute paths. A path outside the repository is not found.
    const path = isAbsolute(citation.path) ? relative(place.cwd, citation.path) : citation.path;
    const bytes = toBytePath(path.replace(/\/$/u, ""));
    const seen = findObserved(remembered, bytes);
    const entry = seen === "below" ? findEntryAt(toBytePath(place.repository.root), bytes) : seen;
    if (entry === null) continue;
    const read = entry.type === "file" ? await readBounded(join(place.tree, path), COUNTED_BYTES_MAX) : null;
    lines.set(citation.path, read?.kind === "read" ? countLines(read.data) : Number.POSITIVE_INFINITY);
  }
  return lines;
}

function countLines(data: Uint8Array): number {
  const breaks = data.reduce((count, byte) => (byte === 0x0a ? count + 1 : count), 0);
  return data.length > 0 && data.at(-1) !== 0x0a ? breaks + 1 : breaks;
}
