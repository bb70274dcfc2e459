/** The budget of a team in the bucket that all repositories share. */
import type { KV } from "@nats-io/kv";
import * as v from "valibot";
import type { Engine } from "../queue/pure/engine.ts";
import {
  type BudgetAnswer,
  BudgetCap,
  type BudgetedJob,
  BudgetRow,
  type TeamBudget,
} from "../queue/pure/team-budget.ts";
import { TEAM } from "../queue/pure/fleet-names.ts";
import {
  countBudget,
  describeTeamBudget,
  EMPTY_BUDGET,
  isOverBudget,
  reserveBudget,
  settleBudget,
  viewBudget,
} from "../queue/pure/team-account.ts";
import { callServer, isOutdated, type NatsLink } from "./nats-link.ts";

interface BudgetLink extends Pick<NatsLink, "connection"> {
  readonly rows: KV;
  /** The name of this member. */
  readonly member: string;
  readonly nameToken: (address: string) => string;
  readonly engine: Pick<Engine, "find">;
  readonly now: () => string;
}

export function openTeamBudget(link: BudgetLink): TeamBudget {
  const enter = ({ job, repository, total }: BudgetedJob) => ({
    key: `${link.nameToken(repository)}.${job}`,
    by: link.member,
    total,
  });
  const onCap = <T>(work: (cap: BudgetCap) => Promise<T>, none: T): Promise<T> =>
    callServer(link, async () => {
      const cap = await readCap(link.rows);
      return cap === null ? none : work(cap);
    });
  return {
    reserve: (job) =>
      onCap(async (cap) => {
        const tryIt = () => change(link, cap, (row) => reserveBudget(row, enter(job), cap));
        if ((await tryIt()) !== null) return WITHIN;
        // A worker may be lost for good; what it held is free once its job is known to be over.
        await settleLost(link, cap, job.repository);
        return (await tryIt()) === null ? explain(link, cap) : WITHIN;
      }, WITHIN),
    count: (job) =>
      onCap(async (cap) => {
        const row = await change(link, cap, (now) => countBudget(now, enter(job)));
        return row !== null && isOverBudget(row, cap) ? explain(link, cap) : WITHIN;
      }, WITHIN),
    settle: (job) =>
      onCap(async (cap) => {
        await change(link, cap, (row) => changed(row, settleBudget(row, enter(job))));
      }, undefined),
    read: () => onCap(async (cap) => viewBudget((await readRow(link, cap)).row, cap), null),
  };
}

const WITHIN: BudgetAnswer = { kind: "within" };

const changed = (before: BudgetRow, after: BudgetRow): BudgetRow | null => (before === after ? null : after);

async function readCap(rows: KV): Promise<BudgetCap | null> {
  const entry = await rows.get(TEAM.capRow);
  return entry === null || entry.operation !== "PUT" ? null : v.parse(BudgetCap, entry.json());
}

const nameDay = (now: string): string => now.slice(0, 10);
const nameRow = ({ now }: BudgetLink, { per }: BudgetCap): string =>
  `spent.${per === "day" ? nameDay(now()) : "total"}`;

async function readRow(link: BudgetLink, cap: BudgetCap) {
  const entry = await link.rows.get(nameRow(link, cap));
  const isThere = entry !== null && entry.operation === "PUT";
  return { row: isThere ? v.parse(BudgetRow, entry.json()) : EMPTY_BUDGET, revision: entry?.revision ?? 0 };
}

/** The new row; null where nothing is to be changed. */
async function change(
  link: BudgetLink,
  cap: BudgetCap,
  decide: (row: BudgetRow) => BudgetRow | null,
): Promise<BudgetRow | null> {
  for (;;) {
    const { row, revision } = await readRow(link, cap);
    const next = decide(row);
    if (next === null) return null;
    try {
      await link.rows.put(nameRow(link, cap), JSON.stringify(next), { previousSeq: revision });
      return next;
    } catch (error) {
      if (!isOutdated(error)) throw error;
    }
  }
}

async function settleLost(link: BudgetLink, cap: BudgetCap, repository: string): Promise<void> {
  const prefix = `${link.nameToken(repository)}.`;
  const { row } = await readRow(link, cap);
  for (const key of Object.keys(row.open).filter((one) => one.startsWith(prefix))) {
    const view = await link.engine.find(key.slice(prefix.length));
    if (view === null || view.phase === "running") continue;
    const total = { dollars: view.spent.dollars, tokens: view.spent.tokens ?? 0 };
    await change(link, cap, (now) => changed(now, settleBudget(now, { key, total })));
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;

async function explain(link: BudgetLink, cap: BudgetCap): Promise<BudgetAnswer> {
  const why = describeTeamBudget(viewBudget((await readRow(link, cap)).row, cap));
  const tomorrow = new Date(Date.parse(nameDay(link.now())) + DAY_MS).toISOString();
  return { kind: "over", why, until: cap.per === "day" ? tomorrow : null };
}
