/**
 * How long the service asks Claude Code to wait, from the log of its requests.
 *
 * Its stream tells of the limits of a plan and not of a `retry-after`. The log prints each answer that is an error over
 * several lines, the status before the headers.
 */
import { readMoment } from "../session/moment-text.ts";

const STATUS = /^\s*status: (?<status>\d{3}),$/u;
const RETRY_AFTER = /^\s*"retry-after": "(?<seconds>\d{1,8})(?:\.\d+)?",?$/u;
const LIMITS = ["429", "529"];

export interface RetryAfter {
  readonly line: (text: string) => void;
  /** As an ISO time; null where nothing was asked. */
  readonly at: () => string | null;
}

export function watchRetryAfter(nowMs: () => number): RetryAfter {
  let status = "";
  let atMs: number | null = null;
  return {
    line: (text) => {
      status = STATUS.exec(text)?.groups?.["status"] ?? status;
      const seconds = RETRY_AFTER.exec(text)?.groups?.["seconds"];
      if (seconds !== undefined && LIMITS.includes(status)) atMs = nowMs() + Number(seconds) * 1000;
    },
    at: () => (atMs === null ? null : readMoment(atMs)),
  };
}
