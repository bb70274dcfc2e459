/** What a team may spend over all machines that share a queue, and what it has spent. */
import * as v from "valibot";
import { Dollars } from "../values/quantity.ts";
import type { JobId } from "./job.ts";

/** Set by the owner of the server, in `fleet.json`. */
export const BudgetCap = v.strictObject({
  /** A day is one of UTC. */
  per: v.picklist(["day", "total"]),
  dollars: Dollars,
  /** Held for each job before it starts, so that jobs side by side do not all spend the last dollar. */
  reserve: v.optional(Dollars, 1),
});
export type BudgetCap = v.InferOutput<typeof BudgetCap>;

/** One row on the server, changed by compare-and-swap only. */
export const BudgetRow = v.strictObject({
  /** By the name of a member: what its ended jobs have cost. */
  spent: v.record(v.string(), Dollars),
  /** Jobs that run, or whose worker is lost. */
  open: v.record(
    v.string(),
    v.strictObject({
      by: v.string(),
      /** What the job had cost before this member took it; all attempts before, which are counted already. */
      before: Dollars,
      /** What it has cost now. */
      total: Dollars,
      reserved: Dollars,
    }),
  ),
});
export type BudgetRow = v.InferOutput<typeof BudgetRow>;

export interface BudgetView {
  readonly per: BudgetCap["per"];
  readonly cap: number;
  readonly spent: number;
  /** For running jobs, beyond what they have spent. */
  readonly reserved: number;
  readonly by: readonly { readonly member: string; readonly dollars: number }[];
}

export interface BudgetedJob {
  readonly job: JobId;
  /** The address of its repository: jobs of two repositories may have one name. */
  readonly repository: string;
  /** What it has cost so far, over all attempts. */
  readonly total: number;
}

export type BudgetAnswer =
  | { readonly kind: "within" }
  /** `until` is the next day; null where only the owner of the server can change it. */
  | { readonly kind: "over"; readonly why: string; readonly until: string | null };

/** The same job and the same total twice are counted once. */
export interface TeamBudget {
  /** Before any work. */
  readonly reserve: (job: BudgetedJob) => Promise<BudgetAnswer>;
  /** While it runs. */
  readonly count: (job: BudgetedJob) => Promise<BudgetAnswer>;
  /** It has ended or was given back. */
  readonly settle: (job: BudgetedJob) => Promise<void>;
  /** Null where the owner set none. */
  readonly read: () => Promise<BudgetView | null>;
}
