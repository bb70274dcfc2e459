/** What all workers of a team share: when each agent's service accepts work again. */
import { join } from "node:path";
import { type KV, type KvEntry, Kvm } from "@nats-io/kv";
import * as v from "valibot";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { Objm, setSha256Backend } from "@nats-io/obj";
import type { NatsConnection } from "@nats-io/transport-node";
import { type AgentLimits, type Claim, type Engine, QueueError } from "../queue/pure/engine.ts";
import { Timestamp } from "../base/identifier.ts";
import { callServer, explainNats, isOutdated, type NatsLink, type NatsNames, refuseOldServer } from "./nats-link.ts";
import {
  type BudgetAnswer,
  BudgetCap,
  type BudgetedJob,
  BudgetRow,
  type TeamBudget,
} from "../queue/pure/team-budget.ts";
import { nameFleet, TEAM } from "../queue/pure/server-config.ts";
import {
  countBudget,
  describeTeamBudget,
  EMPTY_BUDGET,
  isOverBudget,
  reserveBudget,
  settleBudget,
  viewBudget,
} from "../queue/pure/team-account.ts";
import { readClockMs, readSteadyMs } from "../system/clock.ts";
import { readOwnIdentity } from "../process/process-identity.ts";
import { findDueInCron, openEngine } from "../queue/open-engine.ts";
import { openChanges } from "../queue/engine-parts.ts";
import { openNatsBeats } from "./nats-beats.ts";
import { openNatsLog } from "./nats-log.ts";
import { openNatsStore } from "./nats-store.ts";
import type { JobId, JobResult, JobSpec } from "../queue/pure/job.ts";
import { writeKnownJob } from "../journal/known-jobs.ts";
import { connectFleet, makeRepositoryToken, type QueueSettings, readFleetKeys } from "./fleet-file.ts";
import { nameAddress } from "../queue/pure/user-settings.ts";
import { refuseSharedSpec } from "../queue/pure/shared-job.ts";
import { joinEngines, type RepositoryEngine } from "./join-engines.ts";

/** A text in the form of a time need not be one: no minute is the 80th. */
const Moment = v.pipe(
  Timestamp,
  v.check((time) => !Number.isNaN(Date.parse(time))),
);
const Limit = v.pipe(v.string(), v.parseJson(), v.object({ agent: v.string(), until: Moment }));
type Limit = v.InferOutput<typeof Limit>;

const nameTeamRow = (agent: string): string => `limit.${Buffer.from(agent).toString("base64url")}`;

export function openTeamLimits(link: Pick<NatsLink, "connection">, rows: KV, now: () => string): AgentLimits {
  return {
    block: (agent, until) => callServer(link, () => block(rows, { agent, until })),
    list: () =>
      callServer(link, async () => {
        const limits: Limit[] = [];
        for await (const key of await rows.keys("limit.>")) {
          const limit = parseLimit(await rows.get(key));
          if (limit !== null && limit.until > now()) limits.push(limit);
        }
        return limits;
      }),
  };
}

/** A member wrote the row; null where it is none, and the next limit takes its place. */
export function parseLimit(row: Pick<KvEntry, "string"> | null): Limit | null {
  const parsed = v.safeParse(Limit, row?.string());
  return parsed.success ? parsed.output : null;
}

/** Only ever later, by compare-and-swap. */
async function block(rows: KV, limit: Limit): Promise<void> {
  const row = nameTeamRow(limit.agent);
  for (;;) {
    const entry = await rows.get(row);
    const known = parseLimit(entry);
    if (known !== null && known.until >= limit.until) return;
    try {
      await rows.put(row, JSON.stringify(limit), { previousSeq: entry?.revision ?? 0 });
      return;
    } catch (error) {
      if (!isOutdated(error)) throw error;
    }
  }
}

/** The budget of a team in the bucket that all repositories share. */

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

/** The queue of a team on several machines: one repository on a server of NATS JetStream. docs/queue.md says how to make one. */

/** For what time alone changes: a lease, a start time, a schedule. */
const LOOK_MS = 250;
const TIMEOUT_MS = 5000;
/** Read in a part of a second. */
const RECORDS_MAX = 2000;

export interface NatsEngineOptions {
  /** It stays open when the engine is closed. */
  readonly connection: NatsConnection;
  readonly names: NatsNames;
  /** The bucket that all repositories share, and its connection; null for limits of this repository alone. */
  readonly team: { readonly connection: NatsConnection; readonly bucket: string } | null;
  /** Whether this member may cut a long log; after so many records, unless a test names fewer. */
  readonly canCut: boolean;
  readonly recordsMax?: number;
  /** A double for tests. */
  readonly readClockMs?: () => number;
  readonly timeoutMs?: number;
}

export async function openNatsEngine(options: NatsEngineOptions): Promise<Engine> {
  const { connection, names, team, canCut, recordsMax = RECORDS_MAX, timeoutMs = TIMEOUT_MS } = options;
  refuseOldServer(connection);
  setSha256Backend("native"); // Node's own hash: the other one takes most of the time of a large attachment.
  const link: NatsLink = { connection, names, timeoutMs };
  const clocks = { readClockMs: options.readClockMs ?? readClockMs, readSteadyMs, findDue: findDueInCron };
  const now = (): string => new Date(clocks.readClockMs()).toISOString();
  const listeners = new Set<() => void>();
  const wake = (): void => {
    for (const listener of listeners) listener();
  };
  const changes = openChanges(listeners, () => {
    const timer = setInterval(wake, LOOK_MS);
    return () => clearInterval(timer);
  });
  const durable = await readDurability(link);
  const log = await openNatsLog({ ...link, now, onRecords: wake, cut: canCut ? { recordsMax } : null });
  const objects = await callServer(link, () => new Objm(connection).open(names.objects));
  const rows = await callServer(link, () => new Kvm(connection).open(names.beats));
  const beats = await openNatsBeats({ ...link, rows, readSteadyMs });
  const store = await openNatsStore({ ...link, ...clocks, log, changes, objects });
  const limits = team === null ? {} : { limits: await openLimits(team, now) };
  const identity = await readOwnIdentity();
  const facts = { name: "nats", shared: true, durable } as const;
  const engine = openEngine({ ...clocks, now, identity, log, store, beats, changes, facts, ...limits });
  return {
    ...engine,
    close: async () => {
      await engine.close();
      beats.close();
    },
  };
}

async function openLimits(
  { connection, bucket }: NonNullable<NatsEngineOptions["team"]>,
  now: () => string,
): Promise<Engine["limits"]> {
  const rows = await callServer({ connection }, () => new Kvm(connection).open(bucket));
  return openTeamLimits({ connection }, rows, now);
}

/** Only several servers are known to keep an answered record through a power cut: a client cannot ask how one syncs. */
async function readDurability(link: NatsLink): Promise<Engine["facts"]["durable"]> {
  const { connection, names, timeoutMs: timeout } = link;
  const { config } = await callServer(link, async () =>
    (await jetstreamManager(connection, { timeout, checkAPI: false })).streams.info(names.log),
  );
  return config.num_replicas > 1 ? "replicated" : "deferred";
}

/** An engine whose jobs are also kept on this machine, as far as it submits or runs them. */

/** Jobs of two repositories may have one name. */
export function locateKnown(folder: string, { repository }: Pick<JobSpec, "repository">): string {
  return join(folder, makeRepositoryToken(repository.kind === "url" ? repository.url : repository.path));
}

export function keepKnown(engine: Engine, folder: string): Engine {
  const keep = async (job: JobId, spec: JobSpec, result: JobResult | null): Promise<void> => {
    const view = await engine.find(job);
    if (view === null) return;
    const { terms, attempt, spent } = view;
    await writeKnownJob(locateKnown(folder, spec), { version: 1, job, spec, terms, attempt, spent, result });
  };
  return {
    ...engine,
    submit: async (spec, terms, id) => {
      const job = await engine.submit(spec, terms, id);
      await keep(job, spec, null);
      return job;
    },
    ask: async (job, what) => {
      const answer = await engine.ask(job, what);
      const view = what === "cancel" && answer === "done" ? await engine.find(job) : null;
      const spec = view === null ? null : await engine.readSpec(job);
      if (view !== null && spec !== null) await keep(job, spec, view.result);
      return answer;
    },
    claim: async (worker, want, wait) => {
      const claim = await engine.claim(worker, want, wait);
      if (claim === null) return null;
      await keep(claim.job, claim.spec, null);
      return keepResult(claim, (result) => keep(claim.job, claim.spec, result));
    },
  };
}

/** A worker that is killed before it keeps its result has its branch on the git server. */
function keepResult(claim: Claim, keep: (result: JobResult) => Promise<void>): Claim {
  return {
    ...claim,
    finish: async (result) => {
      const recorded = await claim.finish(result);
      if (recorded !== "fenced") await keep(result);
      return recorded;
    },
  };
}

/** The queue of several machines as this member sees it: one connection and one engine for each of its repositories. */

const now = (): string => new Date(readClockMs()).toISOString();

interface OpenedFleet {
  readonly engine: Engine;
  readonly budget: TeamBudget;
}

/** `known` is the folder of what this machine knows of the jobs. */
export async function openFleet(settings: QueueSettings, known: string): Promise<OpenedFleet> {
  const { url, ca, keys } = await readFleetKeys(settings);
  const opened: NatsConnection[] = [];
  const closeAll = async (): Promise<void> => {
    await Promise.all(opened.map((connection) => connection.close()));
  };
  const open = async (seed: string): Promise<NatsConnection> => {
    const connection = await connectFleet({ url, ca, seed }, keys.name).catch((error: unknown) => {
      throw explainNats(error, url);
    });
    opened.push(connection);
    return connection;
  };
  try {
    const team = { connection: await open(keys.team), bucket: TEAM.bucket };
    const members: RepositoryEngine[] = [];
    for (const { address, seed, role } of keys.repositories) {
      const names = nameFleet(makeRepositoryToken(address));
      const canCut = role === "worker";
      const engine = await openNatsEngine({ connection: await open(seed), names, team, canCut });
      members.push({ name: nameAddress(address) ?? address, engine });
    }
    const [first, ...others] = members;
    if (first === undefined) throw new QueueError("refused", "your keys are for no repository: ask for an invitation");
    const engine = joinEngines([first, ...others], ({ repository }) =>
      repository.kind === "url" ? nameAddress(repository.url) : null,
    );
    const rows = await callServer(team, () =>
      new Kvm(jetstream(team.connection, { checkAPI: false })).open(TEAM.bucket),
    );
    const budget = openTeamBudget({ ...team, rows, member: keys.name, nameToken: makeRepositoryToken, engine, now });
    const kept = keepKnown(engine, known);
    const submit: Engine["submit"] = async (spec, terms, id) => {
      const why = refuseSharedSpec(spec);
      if (why !== null) throw new QueueError("refused", `no worker of a shared queue takes this job: ${why}`);
      return kept.submit(spec, terms, id);
    };
    return { engine: { ...kept, submit, close: () => engine.close().finally(closeAll) }, budget };
  } catch (error) {
    await closeAll();
    throw error;
  }
}
