/** What the journal and the reports keep of a decision; a file holds all of it. */
export const REVIEW_LIMITS = {
  reviewers: 9,
  explanationChars: 1200,
  reasons: 20,
  reasonChars: 400,
  paths: 20,
  rawChars: 16_000,
} as const;
