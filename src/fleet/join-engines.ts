/** The queues of several repositories as one. Each has its own log, its own order and its own rights on the server. */
import {
  type Claim,
  type ClaimWait,
  type Engine,
  type JobLine,
  QueueError,
  type WorkerView,
  type WorkerWant,
} from "../queue/pure/engine.ts";
import type { JobId, JobSpec } from "../queue/pure/job.ts";
import { mergeStreams } from "./nats-store.ts";

export interface RepositoryEngine {
  /** Of the repository, as its jobs are told apart: without commas and equals signs. */
  readonly name: string;
  readonly engine: Engine;
}

/** For what time alone changes. */
const LOOK_MS = 1000;

type NameRepository = (spec: JobSpec) => string | null;

/** `nameOf` names the repository of a job; null for one that no shared queue takes. */
export function joinEngines(
  members: readonly [RepositoryEngine, ...RepositoryEngine[]],
  nameOf: NameRepository,
): Engine {
  const engines = members.map(({ engine }) => engine);
  const [{ engine: first }] = members;
  const find = async (job: JobId): Promise<Engine | null> => {
    for (const engine of engines) if ((await engine.find(job)) !== null) return engine;
    return null;
  };
  return {
    facts: first.facts,
    limits: first.limits,
    submit: async (spec, terms, id) => chooseMember(members, nameOf(spec)).submit(spec, terms, id),
    peek: (labels) => sortEngines(engines, labels)[0]?.peek(labels) ?? null,
    restore: async (job) => chooseMember(members, nameOf(job.spec)).restore(job),
    claim: (worker, want, wait) => claimAny(engines, { worker, want, wait }),
    ask: async (job, what) => (await find(job))?.ask(job, what) ?? "unknown",
    retry: async (job) => (await find(job))?.retry(job) ?? "unknown",
    move: async (job, priority) => (await find(job))?.move(job, priority) ?? "unknown",
    hold: async (isPaused) => {
      for (const engine of engines) await engine.hold(isPaused);
    },
    isHeld: async () => (await Promise.all(engines.map(({ isHeld }) => isHeld()))).every(Boolean),
    jobs: async () => (await Promise.all(engines.map(({ jobs }) => jobs()))).flat(),
    find: async (job) => (await find(job))?.find(job) ?? null,
    readSpec: async (job) => (await find(job))?.readSpec(job) ?? null,
    readAttachment: async (job, attempt, name) => (await find(job))?.readAttachment(job, attempt, name) ?? null,
    follow: (job, from, signal) => followAll(members, job, from, signal),
    followToEnd: (job, signal) => followOne(find, job, signal),
    changes: (signal) => mergeStreams(engines.map(({ changes }) => changes(signal))),
    close: async () => {
      for (const engine of engines) await engine.close();
    },
  };
}

function chooseMember(members: readonly RepositoryEngine[], name: string | null): Engine {
  const member = members.find((one) => one.name === name);
  if (member !== undefined) return member.engine;
  const known = members.map((one) => one.name).join(", ");
  if (name === null)
    throw new QueueError(
      "refused",
      `a shared queue takes a repository by its URL, because no other machine has this folder: add --repo URL, for one of ${known}`,
    );
  throw new QueueError("refused", `you have no key for ${name}, only for ${known}: ask the owner of the queue`);
}

interface ClaimWish {
  readonly worker: WorkerView;
  readonly want: WorkerWant;
  readonly wait: ClaimWait;
}

/** The greatest priority first, then the oldest job; a repository whose jobs are not known yet comes last. */
function sortEngines(engines: readonly Engine[], labels: readonly string[]): readonly Engine[] {
  const ranked = engines.map((engine) => ({ engine, next: engine.peek(labels) }));
  return ranked
    .toSorted(({ next: one }, { next: other }) => {
      if (one === null || other === null) return Number(one === null) - Number(other === null);
      return other.priority - one.priority || (one.submittedAt < other.submittedAt ? -1 : 1);
    })
    .map(({ engine }) => engine);
}

/** The best job of all repositories. Another worker may be faster, so that the next one is tried. */
async function claimAny(engines: readonly Engine[], { worker, want, wait }: ClaimWish): Promise<Claim | null> {
  const { signal, until } = wait;
  const over = new AbortController();
  const changes = mergeStreams(engines.map((engine) => engine.changes(AbortSignal.any([signal, over.signal]))));
  let changed = changes.next();
  try {
    while (!signal.aborted) {
      for (const engine of sortEngines(engines, want.labels)) {
        const claim = await engine.claim(worker, want, { signal, until: "once" });
        if (claim !== null) return claim;
      }
      if (until === "once") return null;
      if (until === "drain") return await drain(engines, { worker, want, wait });
      if (await isSooner(changed)) changed = changes.next();
    }
    return null;
  } finally {
    over.abort();
    changed.catch(() => null);
  }
}

/** Whether something changed before the next look at the time. */
async function isSooner(changed: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | null = null;
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), LOOK_MS)));
  const isChanged = await Promise.race([changed.then(() => true), late]);
  if (timer !== null) clearTimeout(timer);
  return isChanged;
}

async function drain(engines: readonly Engine[], { worker, want, wait }: ClaimWish): Promise<Claim | null> {
  for (const engine of engines) {
    const claim = await engine.claim(worker, want, wait);
    if (claim !== null) return claim;
  }
  return null;
}

async function* followOne(
  find: (job: JobId) => Promise<Engine | null>,
  job: JobId,
  signal: AbortSignal,
): AsyncGenerator<JobLine, void> {
  const engine = await find(job);
  if (engine !== null) yield* engine.followToEnd(job, signal);
}

/** The cursor has the place in each repository: `name=cursor`, with commas between them. */
async function* followAll(
  members: readonly RepositoryEngine[],
  job: JobId | null,
  from: string,
  signal: AbortSignal,
): AsyncGenerator<JobLine, void> {
  const places = new Map(
    from.split(",").map((part): [string, string] => [part.split("=")[0] ?? "", part.split("=")[1] ?? ""]),
  );
  const tag = async function* ({ name, engine }: RepositoryEngine) {
    for await (const line of engine.follow(job, places.get(name) ?? "", signal)) yield { name, line };
  };
  for await (const { name, line } of mergeStreams(members.map(tag))) {
    places.set(name, line.cursor);
    places.delete("");
    yield { ...line, cursor: [...places].map((pair) => pair.join("=")).join(",") };
  }
}
