/** What a team may spend over all machines that share a queue, and what it has spent. */
import * as v from "valibot";
import { Count, Dollars } from "../../base/quantity.ts";
import type { JobId } from "./job.ts";

/** As the agents report it; nothing is estimated. */
export const BUDGET_UNITS = ["dollars", "tokens"] as const;
export type BudgetUnit = (typeof BUDGET_UNITS)[number];

/** Tokens are those of prompts and answers. */
const Amount = v.strictObject({ dollars: Dollars, tokens: Count });
export type Amount = v.InferOutput<typeof Amount>;

/** Set by the owner of the server, in `fleet.json`. */
export const BudgetCap = v.pipe(
  v.strictObject({
    /** A day is one of UTC. */
    per: v.picklist(["day", "total"]),
    dollars: v.exactOptional(Dollars),
    tokens: v.exactOptional(Count),
    /** Held for each job before it starts, so that jobs side by side do not all spend the last dollar. */
    reserve: v.optional(Dollars, 1),
    reserve_tokens: v.optional(Count, 100_000),
  }),
  v.check((cap) => BUDGET_UNITS.some((unit) => cap[unit] !== undefined), "a budget has dollars, tokens or both"),
);
export type BudgetCap = v.InferOutput<typeof BudgetCap>;

/** One row on the server, changed by compare-and-swap only. */
export const BudgetRow = v.strictObject({
  /** By the name of a member: what its ended jobs have cost. */
  spent: v.record(v.string(), Amount),
  /** Jobs that run, or whose worker is lost. */
  open: v.record(
    v.string(),
    v.strictObject({
      /** No object that is written and read again has this one as a name. */
      by: v.pipe(v.string(), v.notValue("__proto__")),
      /** What the job had cost before this member took it; all attempts before, which are counted already. */
      before: Amount,
      /** What it has cost now. */
      total: Amount,
      reserved: Amount,
    }),
  ),
});
export type BudgetRow = v.InferOutput<typeof BudgetRow>;

export interface BudgetView {
  readonly per: BudgetCap["per"];
  /** What has a cap. */
  readonly cap: Partial<Amount>;
  readonly spent: Amount;
  /** For running jobs, beyond what they have spent. */
  readonly reserved: Amount;
  readonly by: readonly ({ readonly member: string } & Amount)[];
}

export interface BudgetedJob {
  readonly job: JobId;
  /** The address of its repository: jobs of two repositories may have one name. */
  readonly repository: string;
  /** What it has cost so far, over all attempts. */
  readonly total: Amount;
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
