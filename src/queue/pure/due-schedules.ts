import type { JobId } from "./job.ts";
import { isOver } from "./job-end.ts";
import type { JobRow } from "./job-row.ts";
import type { QueueState } from "./queue-state.ts";

/**
 * The newest time of a schedule after one moment and not after another one; null where there is none. Without the first
 * moment, the hour before the second one counts.
 */
export type FindDue = (every: string, span: { readonly after: string | null; readonly until: string }) => string | null;

export interface DueTime {
  readonly schedule: JobId;
  readonly job: JobId;
  readonly time: string;
}

/**
 * The first schedule with a time that is due. Several missed times are one job. A schedule whose last job waits or runs
 * makes no second one; the times that pass meanwhile are missed ones.
 *
 * A clock that was set back makes no time due twice, because the job has the time in its name; and it does not
 * silence a schedule until the clock is there again.
 */
export function findDueTime(state: QueueState, now: string, findDue: FindDue): DueTime | null {
  for (const schedule of state.schedules.values()) {
    const due = schedule.isPaused || !isLastOver(state, schedule) ? null : findTime(schedule, now, findDue);
    if (due !== null && !state.jobs.has(due.job)) return due;
  }
  return null;
}

function findTime({ id: schedule, submittedAt, terms, fired }: JobRow, now: string, findDue: FindDue): DueTime | null {
  const last = fired?.time ?? submittedAt;
  const time = findDue(terms.every ?? "", { after: last <= now ? last : null, until: now });
  if (time === null || time < (terms.not_before ?? "")) return null;
  return { schedule, job: nameFired(schedule, time), time };
}

function isLastOver(state: QueueState, { fired }: JobRow): boolean {
  const last = fired === null ? undefined : state.jobs.get(fired.job);
  return last === undefined || isOver(last);
}

/** Longer than the time in a name, which every job of a schedule adds to it. */
export const SCHEDULE_NAME_MAX = 40;

function nameFired(schedule: JobId, time: string): JobId {
  return `${schedule}-${time.slice(0, 19).replaceAll(/[-:]/g, "")}`;
}
