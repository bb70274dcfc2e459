import type { ReviewRecord } from "../../contract/workflows/goal.ts";

/** What holds of a turn: whoever was asked again, because nobody had been heard, counts with the last answer only. */
export function listTurnReviews(reviews: readonly ReviewRecord[], wanted: number): readonly ReviewRecord[] {
  const own = reviews.filter(({ turn }) => turn === wanted);
  return [...new Map(own.map((review) => [review.reviewer, review])).values()];
}
