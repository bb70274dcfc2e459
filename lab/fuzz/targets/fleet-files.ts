import assert from "node:assert/strict";
import type * as v from "valibot";
import { generateValue } from "../generate-value.ts";
import type { FuzzTarget } from "../target.ts";
import { Fleet, FleetCredentials, Invitation, ServerPaper } from "../../../src/queue/pure/fleet.ts";
import { JobSpec, KnownJob } from "../../../src/queue/pure/job.ts";
import { BudgetCap, BudgetRow } from "../../../src/queue/pure/team-budget.ts";
import { UserSettings } from "../../../src/queue/pure/user-settings.ts";
import { parseWith } from "../../../src/base/schema-error.ts";
import { writeServerConfig } from "../../../src/queue/pure/server-config.ts";
import { countBudget, reserveBudget, settleBudget, viewBudget } from "../../../src/queue/pure/team-account.ts";
import { parseJson } from "../../../src/system/parse-json.ts";

const SCHEMAS: readonly v.GenericSchema[] = [
  Fleet,
  FleetCredentials,
  Invitation,
  ServerPaper,
  UserSettings,
  KnownJob,
  JobSpec,
  BudgetRow,
  BudgetCap,
];
const CAP: BudgetCap = { per: "day", dollars: 5, reserve: 1, reserve_tokens: 0 };
const PLACE = {
  version: "2.11.0",
  folder: "/srv",
  bytesMax: 1e9,
  nameToken: (address: string) => `t${address.length}`,
};
const ONLY_WORKERS = /STREAM\.PURGE|^\$KV\.|^\$O\.[^.]*snapshots/u;

/** Keys, invitations and rows of a shared queue: others send or write them. */
export const fleetFiles: FuzzTarget = {
  name: "fleet-files",
  seeds: () => [Buffer.from(JSON.stringify({ spent: {}, open: {} }))],
  words: ["repositories", "members", "worker", "submitter", "__proto__", "constructor", "open", "spent", "before"],
  generate: (random) => {
    const schema = random.pick(SCHEMAS) ?? Fleet;
    return Buffer.from(JSON.stringify(generateValue(schema, random)) ?? "");
  },
  check: (data) => {
    const value = parseJson(data.toString("utf8"));
    for (const schema of SCHEMAS) checkAgain(schema, value);
    const fleet = parseWith(Fleet, value);
    if (fleet.kind === "valid") checkConfig(fleet.value);
    const row = parseWith(BudgetRow, value);
    if (row.kind === "valid") checkBudget(row.value);
  },
};

/** What is taken is written and taken again as the same. */
function checkAgain(schema: v.GenericSchema, value: unknown): void {
  const parsed = parseWith(schema, value);
  if (parsed.kind === "invalid") return assert(parsed.problems.length > 0);
  const again = parseWith(schema, JSON.parse(JSON.stringify(parsed.value)));
  assert(again.kind === "valid", "a document that is not taken again");
  assert.deepEqual(JSON.stringify(again.value), JSON.stringify(parsed.value));
}

interface WrittenUser {
  readonly nkey: string;
  readonly permissions?: { readonly publish: { readonly allow: readonly string[] } };
}

/** Nobody is let in who is no member, and no submitter gets what is for workers. */
function checkConfig(fleet: Fleet): void {
  const config: { readonly accounts: Record<string, { readonly users: readonly WrittenUser[] }> } = JSON.parse(
    writeServerConfig(fleet, PLACE),
  );
  const { accounts, cluster } = fleet;
  const owners = [...accounts.map(({ owner }) => owner.public), cluster?.owner.public, cluster?.peer.public];
  const members = accounts.flatMap((account) =>
    account.members.map((one) => ({ ...one, team: account.repository === null })),
  );
  for (const { nkey, permissions } of Object.values(config.accounts).flatMap(({ users }) => users)) {
    const roles = members.filter((member) => member.public === nkey);
    assert(owners.includes(nkey) || roles.length > 0, "a key of nobody");
    if (owners.includes(nkey) || roles.some(({ role, team }) => role === "worker" || team)) continue;
    assert.deepEqual(
      permissions?.publish.allow.filter((right) => ONLY_WORKERS.test(right)),
      [],
    );
  }
}

/** Whatever a member did to the row, it stays one, and nothing makes it cheaper. */
function checkBudget(row: BudgetRow): void {
  const total = { dollars: 2, tokens: 3 };
  for (const key of [...Object.keys(row.open), "t.job"]) {
    const by = row.open[key]?.by ?? "a";
    const settled = settleBudget(row, { key, total });
    for (const next of [settled, reserveBudget(row, { key, by, total }, CAP), countBudget(row, { key, by, total })]) {
      if (next === null) continue;
      const again = parseWith(BudgetRow, JSON.parse(JSON.stringify(next)));
      assert(again.kind === "valid", "a row that nobody can read any more");
    }
    const [before, after] = [row, settled].map((one) => viewBudget(one, CAP).spent.dollars ?? 0);
    assert((after ?? 0) >= (before ?? 0), `${after} dollars after ${before}`);
  }
}
