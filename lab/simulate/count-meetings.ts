/** What is kept of the faults of every change: a row for each tick and fault. */
import type { Meeting } from "./every-fault.ts";

interface MeetingRow extends Pick<Meeting, "tick" | "error" | "mode" | "changes"> {
  readonly tried: number;
  /** Ticks that ended as without the fault. */
  readonly unharmed: number;
  readonly failed: number;
  readonly date: string;
  readonly node: string;
}

export function countMeetings(meetings: readonly Meeting[]): readonly MeetingRow[] {
  const groups = new Map<string, Meeting[]>();
  for (const meeting of meetings) {
    const name = `${meeting.tick} ${meeting.error} ${meeting.mode}`;
    groups.set(name, [...(groups.get(name) ?? []), meeting]);
  }
  const [date, node] = [new Date().toISOString().slice(0, 10), process.version];
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ tick, error, mode, changes }) => ({
      tick,
      error,
      mode,
      changes,
      tried: group.length,
      unharmed: group.filter(({ isUnharmed }) => isUnharmed).length,
      failed: group.filter(({ problem }) => problem !== null).length,
      date,
      node,
    })),
  );
}
