/** How large a schedule may be, and who chooses what happens in it. */
export interface ScheduleSize {
  readonly engine: "files" | "server";
  readonly workers: number;
  readonly jobs: number;
  /** Kills, losses, duplicates, and leases that run out, in one schedule. */
  readonly faults: number;
  readonly steps: number;
}

/** Picks one of so many; throws `Enough` where the rest is known. */
export type Choose = (count: number, describe: () => string) => number;

/** The rest of this schedule was seen behind another one. */
export class Enough extends Error {}
