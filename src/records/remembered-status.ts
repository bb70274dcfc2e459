import type { KeptFile } from "./kept-work.ts";
import type { LastSeries } from "./series.ts";
import type { BudgetUse, LastTick, Status, WaitingChange, WaitingThing } from "./status-answers.ts";

/** Its file in the state directory. */
export const REMEMBERED_STATUS = "status.json";

interface RememberedChange extends WaitingChange {
  readonly baseCommit: string;
  /** Its files, with the side before: if all of them are as before, it does not wait. */
  readonly paths: readonly Pick<KeptFile, "path" | "path_base64" | "before">[];
}

/**
 * What `relais status` would read from a whole journal, as the last command left it. It only saves the reading: with
 * another journal or another configuration it means nothing, and nothing is decided by it.
 */
export interface RememberedStatus {
  readonly root: string;
  /** Null where there is no file. */
  readonly configText: string | null;
  readonly workspaceDir: string;
  readonly lockfile: string;
  /** The program of the orchestrator. */
  readonly planner: string;
  /** Its `secondsAgo` counts from `lastTickAt`. */
  readonly lastTick: LastTick | null;
  readonly lastTickAt: string | null;
  readonly openSeries: readonly LastSeries[];
  readonly question: Status["question"];
  /** A change that may wait, if HEAD is still this commit and its files are still there. */
  readonly change: RememberedChange | null;
  /** Besides decisions. */
  readonly waiting: readonly WaitingThing[];
  readonly budgets: BudgetUse | null;
}
