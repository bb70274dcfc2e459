/**
 * Names of ticks, series and commits. A run id names a history folder and a series id a branch, so both are safe as a
 * file name and as a ref. Task and milestone ids come from an agent and are only shown or compared: encode them before
 * they become a file name.
 */
import * as v from "valibot";

const SAFE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{7,79}$/;
const SAFE_NAME_REASON = "it becomes a file name and a branch name: 8 to 80 letters, digits, `-` and `_`";

export const RunId = v.pipe(v.string(), v.regex(SAFE_NAME, SAFE_NAME_REASON));
export const SeriesId = v.pipe(v.string(), v.regex(SAFE_NAME, SAFE_NAME_REASON));
export const TaskId = v.pipe(v.string(), v.minLength(1), v.maxLength(80));
export const MilestoneId = v.pipe(v.string(), v.minLength(1), v.maxLength(80));

export const ReviewerName = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9_-]{0,39}$/, "a reviewer is named in lower case, like `completion`"),
);

/** A full object id of git: SHA-1 or SHA-256. */
export const CommitId = v.pipe(
  v.string(),
  v.regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, "a commit is named by its full id, 40 or 64 hexadecimal digits"),
);

export const Sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, "a SHA-256 is written as 64 hexadecimal digits"));

export const Timestamp = v.pipe(
  v.string(),
  v.regex(
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/,
    "a moment is written in UTC, like 2026-01-31T23:59:59.000Z",
  ),
  v.metadata({ format: "date-time" }),
);
