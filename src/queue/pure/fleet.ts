/** The files of a queue that several machines share: those of its server, and those that a member gets. */
import * as v from "valibot";
import { BudgetCap } from "./team-budget.ts";
import { QueueUrl } from "./user-settings.ts";

const Name = v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "a name has small letters, digits and -"));
const Seed = v.pipe(v.string(), v.regex(/^SU[A-Z2-7]{56}$/, "an nkey seed of a user begins with SU"));
const PublicKey = v.pipe(v.string(), v.regex(/^U[A-Z2-7]{55}$/));
const Address = v.pipe(v.string(), v.minLength(1), v.maxLength(2048));

/** The name by which other machines reach the server: a certificate is for a name, not for an address. */
export const HostName = v.pipe(
  v.string(),
  v.maxLength(253),
  v.regex(/^(?=.*[a-z])[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, "a name such as queue.example.com, not an address"),
);

export const FleetRole = v.picklist(["worker", "submitter"]);
export type FleetRole = v.InferOutput<typeof FleetRole>;

/** Everything of one repository lies in an account of its own, so that nothing of it is visible to others. */
const Account = v.strictObject({
  /** Null is the account of the team: limits and budgets. */
  repository: v.nullable(Address),
  /** Makes the streams. Only the first of several servers has the seed. */
  owner: v.strictObject({ public: PublicKey, seed: v.exactOptional(Seed) }),
  members: v.array(v.strictObject({ name: Name, role: FleetRole, public: PublicKey })),
});
export type FleetAccount = v.InferOutput<typeof Account>;

const Port = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535));

export const ServerAddress = v.strictObject({ host: HostName, port: Port });
export type ServerAddress = v.InferOutput<typeof ServerAddress>;

/** Three servers that keep everything three times. Members are invited on the first one; the others learn of it. */
const Cluster = v.strictObject({
  servers: v.pipe(v.array(ServerAddress), v.length(3)),
  owner: Account.entries.owner,
  /** The key of the other two. */
  peer: v.strictObject({ public: PublicKey, seed: Seed }),
});
export type FleetCluster = v.InferOutput<typeof Cluster>;

/** `fleet.json` in the folder of the server. */
export const Fleet = v.strictObject({
  version: v.literal(1),
  host: HostName,
  port: Port,
  cluster: v.exactOptional(Cluster),
  accounts: v.array(Account),
  /** What the team may spend over all machines; without it, as much as each repository allows. */
  budget: v.exactOptional(BudgetCap),
});
export type Fleet = v.InferOutput<typeof Fleet>;

/** `credentials.json` of a member. */
export const FleetCredentials = v.strictObject({
  version: v.literal(1),
  name: Name,
  team: Seed,
  repositories: v.array(v.strictObject({ address: Address, role: FleetRole, seed: Seed })),
});
export type FleetCredentials = v.InferOutput<typeof FleetCredentials>;

/** What `relais queue invite` writes and `relais queue join` reads. */
export const Invitation = v.strictObject({
  ...FleetCredentials.entries,
  url: QueueUrl,
  ca: v.pipe(v.string(), v.regex(/^-----BEGIN CERTIFICATE-----\n/)),
});
export type Invitation = v.InferOutput<typeof Invitation>;

/** What `relais queue serve --with` writes for another server, and `relais queue serve --from` reads. */
export const ServerPaper = v.strictObject({
  version: v.literal(1),
  fleet: Fleet,
  ca: v.string(),
  certificate: v.string(),
  key: v.string(),
});
