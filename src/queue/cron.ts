/** Times of schedules, in the time zone of this machine. */
import { Cron } from "croner";
import { QueueError } from "./pure/queue-error.ts";
import { describeError } from "../base/describe-error.ts";
import type { FindDue } from "./pure/due-schedules.ts";

const SECOND_MS = 1000;
const HOUR_MS = 60 * 60 * SECOND_MS;

/** Throws a `QueueError` where the text is not five fields of cron, or a name such as `@daily`. */
export const findDueInCron: FindDue = (every, { after, until }) => {
  const untilMs = Date.parse(until);
  const afterMs = after === null ? untilMs - HOUR_MS : Date.parse(after);
  // Croner looks for times before a moment, and a cron has whole seconds.
  const [time] = readCron(every).previousRuns(1, new Date(untilMs + SECOND_MS));
  const isDue = time !== undefined && time.getTime() > afterMs && time.getTime() <= untilMs;
  return isDue ? time.toISOString() : null;
};

function readCron(every: string): Cron {
  if (!/^(?:@[a-z]+|\S+(?:\s+\S+){4})$/i.test(every.trim()))
    throw new QueueError("refused", `the schedule "${every}" does not have five fields, as in "0 9 * * 1-5"`);
  try {
    return new Cron(every.trim(), { mode: "5-part" });
  } catch (error) {
    throw new QueueError("refused", `the schedule "${every}" cannot be read: ${describeError(error)}`);
  }
}
