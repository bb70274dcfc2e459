/** One chaos run: jobs, workers, and what happens to them. Answers what was found at the end. */
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import type { Engine, JobView } from "../../src/contract/queue/engine.ts";
import { QueueError } from "../../src/contract/queue/queue-error.ts";
import { openFilesEngine } from "../../src/run/engine/files-engine.ts";
import { jobSpec, jobTerms } from "../../test/engine/jobs.ts";
import { gitEnvironment } from "../../test/support/repositories.ts";
import { type ChaosPlaces, chaosPlaces } from "./chaos-places.ts";
import { type ChaosWorker, LEASE_MS, listMarked, SLOTS, startWorker } from "./chaos-workers.ts";
import { openRandom, type Random } from "./random.ts";
import { isMounted, mountSmallDisk, type SmallDisk } from "./small-disk.ts";

const WORKERS = 4;
const KEYS = 6;
/** Jobs that wait or run at any time. */
const BACKLOG = 14;
const DRAIN_MS = 120_000;

export interface ChaosWish {
  readonly kills: number;
  readonly seed: number;
  readonly onProgress: (text: string) => void;
}

export interface ChaosFound {
  readonly seconds: number;
  readonly jobs: number;
  readonly attempts: number;
  readonly killedAlone: number;
  readonly killedWithSessions: number;
  readonly stopped: number;
  /** Null where no small disk could be mounted. */
  readonly fullDisks: number | null;
  readonly clockJumps: number;
  readonly cancelled: number;
  readonly lost: readonly string[];
  readonly overlaps: readonly string[];
  readonly duplicates: readonly string[];
  readonly leftBehind: readonly string[];
  /** What workers said on standard error. */
  readonly errors: string;
}

interface Chaos {
  readonly wish: ChaosWish;
  readonly places: ChaosPlaces;
  readonly random: Random;
  readonly engine: Engine;
  readonly disk: SmallDisk | null;
  readonly marker: string;
  readonly workers: ChaosWorker[];
  readonly counts: { alone: number; all: number; stops: number; disks: number; jumps: number };
  readonly submitted: string[];
  readonly cancels: Set<string>;
  /** Jobs after another one: they end with it when that is cancelled. */
  readonly dependents: Set<string>;
  /** The newest view of each job: the queue forgets old ones. */
  readonly views: Map<string, JobView>;
  readonly pending: Promise<unknown>[];
  started: number;
  errors: string;
}

export async function runChaos(wish: ChaosWish): Promise<ChaosFound> {
  const startedAt = Date.now();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "relais-chaos-")));
  const places = chaosPlaces(folder);
  mkdirSync(places.disk);
  const disk = mountSmallDisk(places.disk);
  try {
    await preparePlaces(places);
    const chaos = await openChaos(wish, places, disk);
    try {
      await harass(chaos);
      await drain(chaos);
    } finally {
      await endWorkers(chaos);
    }
    await listOpen(chaos);
    await chaos.engine.close();
    const found = examine(chaos, [...chaos.views.values()]);
    disk?.unmount();
    rmSync(folder, { recursive: true, force: true });
    const leftBehind = listLeftBehind(chaos);
    return { ...found, leftBehind, seconds: Math.round((Date.now() - startedAt) / 1000) };
  } finally {
    disk?.unmount();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function preparePlaces(places: ChaosPlaces): Promise<void> {
  mkdirSync(places.locks);
  for (const file of [places.overlaps, places.made]) writeFileSync(file, "");
  copyFileSync("scripts/queue/session.sh", places.session);
  const git = (...args: readonly string[]): string =>
    execFileSync("git", args, { encoding: "utf8", env: { ...process.env, ...gitEnvironment(places.folder) } }).trim();
  git("init", "--quiet", "--bare", places.repository);
  const tree = git("-C", places.repository, "mktree", "--missing");
  const base = git("-C", places.repository, "commit-tree", tree, "-m", "base");
  git("-C", places.repository, "update-ref", "HEAD", base);
  git("-C", places.repository, "config", "user.name", "chaos");
  git("-C", places.repository, "config", "user.email", "chaos@example.invalid");
  await build({
    entryPoints: [resolve("scripts/queue/chaos-worker.ts")],
    outfile: places.worker,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "warning",
  });
}

async function openChaos(wish: ChaosWish, places: ChaosPlaces, disk: SmallDisk | null): Promise<Chaos> {
  return {
    wish,
    places,
    disk,
    random: openRandom(wish.seed),
    engine: await openFilesEngine({ folder: places.queue, logBytesMax: 100_000 }),
    marker: `${process.pid}-${wish.seed}`,
    workers: [],
    counts: { alone: 0, all: 0, stops: 0, disks: 0, jumps: 0 },
    submitted: [],
    cancels: new Set(),
    dependents: new Set(),
    views: new Map(),
    pending: [],
    started: 0,
    errors: "",
  };
}

async function harass(chaos: Chaos): Promise<void> {
  const { wish, random, counts } = chaos;
  let progress = 0;
  while (counts.alone + counts.all < wish.kills) {
    replaceWorkers(chaos);
    await topUp(chaos);
    await pause(100 + random.below(500));
    await strike(chaos);
    const kills = counts.alone + counts.all;
    if (kills >= progress + 50) wish.onProgress(`${kills} kills, ${chaos.submitted.length} jobs`);
    if (kills >= progress + 50) progress = kills;
  }
  await Promise.all(chaos.pending);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function replaceWorkers(chaos: Chaos): void {
  const { places, workers, marker } = chaos;
  const alive = workers.filter((worker) => !worker.isGone());
  workers.splice(0, workers.length, ...alive);
  while (workers.length < WORKERS) {
    chaos.started += 1;
    const name = `worker-${chaos.started}`;
    const command = [process.execPath, places.worker, places.folder, name, String(SLOTS), String(LEASE_MS)];
    const onError = (text: string): void => void (chaos.errors = `${chaos.errors}${name}: ${text}`.slice(0, 20_000));
    workers.push(startWorker({ places, name, marker, command, onError }));
  }
}

/** A full disk refuses jobs, too; then there are fewer for a while. */
async function topUp(chaos: Chaos): Promise<void> {
  const { engine, random, cancels } = chaos;
  try {
    const open = await listOpen(chaos);
    for (let count = open.length; count < BACKLOG; count += 1) await submitOne(chaos);
    const victim = random.below(30) === 0 ? random.pick(open) : undefined;
    if (victim !== undefined && (await engine.ask(victim.id, "cancel")) !== "over") cancels.add(victim.id);
  } catch (error) {
    if (!(error instanceof QueueError && error.kind === "unwritable")) throw error;
  }
}

async function listOpen({ engine, views }: Chaos): Promise<readonly JobView[]> {
  const all = await engine.jobs();
  for (const view of all) views.set(view.id, view);
  return all.filter(({ phase }) => phase === "waiting" || phase === "running");
}

async function submitOne({ engine, random, submitted, dependents }: Chaos): Promise<void> {
  const id = `job-${submitted.length + 1}`;
  const steps = String(1 + random.below(10));
  const lifeline = random.below(2) === 0 ? "deaf" : "listening";
  const spec = jobSpec({ key: `repository#${random.below(KEYS)}`, arguments: [steps, lifeline] });
  const soon = random.below(8) === 0 ? new Date(Date.now() + 500).toISOString() : null;
  const terms = jobTerms({ priority: random.below(5), not_before: soon, attempts_max: 100 });
  const before = random.below(8) === 0 ? submitted.at(-1) : undefined;
  if (before !== undefined && (await engine.find(before))?.phase !== "cancelled") {
    await engine.submit(spec, { ...terms, after: [before] }, id);
    dependents.add(id);
  } else await engine.submit(spec, terms, id);
  submitted.push(id);
}

async function strike(chaos: Chaos): Promise<void> {
  const { random, workers, counts, disk, places } = chaos;
  const worker = random.pick(workers.filter((one) => !one.isGone() && !one.isStopped()));
  const dice = random.below(20);
  if (dice < 2) {
    counts.jumps += 1;
    writeFileSync(places.clock, String((random.below(2_000_000) - 1_000_000) * 60_000));
  } else if (dice < 3 && disk !== null) {
    counts.disks += 1;
    disk.fill();
    await pause(300 + random.below(1500));
    disk.clear();
  } else if (worker === undefined) return;
  else if (dice < 6) {
    counts.stops += 1;
    chaos.pending.push(worker.stopFor(LEASE_MS + 200 + random.below(1500)));
  } else if (dice < 13) {
    counts.alone += 1;
    worker.killAlone();
  } else {
    counts.all += 1;
    worker.killAll();
  }
}

/** Lets everything end in peace. */
async function drain(chaos: Chaos): Promise<void> {
  const { places, wish } = chaos;
  writeFileSync(places.clock, "0");
  const until = Date.now() + DRAIN_MS;
  while (Date.now() < until) {
    replaceWorkers(chaos);
    if ((await listOpen(chaos)).length === 0) return;
    await pause(100);
  }
  wish.onProgress("the queue did not drain");
}

async function endWorkers({ workers, pending }: Chaos): Promise<void> {
  await Promise.all(pending);
  await Promise.all(workers.map(({ end }) => Promise.race([end(), pause(20_000)])));
  for (const worker of workers) if (!worker.isGone()) worker.killAll();
}

type Examined = Omit<ChaosFound, "leftBehind" | "seconds">;

function examine(chaos: Chaos, views: readonly JobView[]): Examined {
  const { counts, disk, places, submitted, errors } = chaos;
  const readLines = (path: string): readonly string[] => readFileSync(path, "utf8").split("\n").filter(Boolean);
  return {
    jobs: submitted.length,
    attempts: views.reduce((sum, { attempt }) => sum + attempt, 0),
    killedAlone: counts.alone,
    killedWithSessions: counts.all,
    stopped: counts.stops,
    fullDisks: disk === null ? null : counts.disks,
    clockJumps: counts.jumps,
    cancelled: views.filter(({ phase }) => phase === "cancelled").length,
    lost: submitted.flatMap((id) => explainLost(chaos, id)),
    overlaps: readLines(places.overlaps),
    duplicates: findDuplicates(places, views, readLines(places.made)),
    errors,
  };
}

/** A job that did not end, or not as it had to. */
function explainLost({ views, cancels, dependents }: Chaos, id: string): readonly string[] {
  const view = views.get(id);
  if (view === undefined) return [`${id} is unknown`];
  const mayBeCancelled = cancels.has(id) || dependents.has(id);
  if (view.phase === "done" || (view.phase === "cancelled" && mayBeCancelled)) return [];
  return [`${id} is ${view.phase}: ${view.result?.summary ?? view.waitsFor ?? ""}`];
}

/** Branches that were made twice, or that are not the recorded ones. */
function findDuplicates({ repository }: ChaosPlaces, views: readonly JobView[], made: readonly string[]): string[] {
  const refs = execFileSync("git", ["-C", repository, "for-each-ref", "--format=%(refname) %(objectname)"], {
    encoding: "utf8",
  });
  const commits = new Map(
    refs
      .split("\n")
      .filter((line) => line.startsWith("refs/heads/relais/"))
      .map((line) => [line.split(" ")[0]?.slice("refs/heads/relais/".length) ?? "", line.split(" ")[1] ?? ""]),
  );
  const names = made.map((line) => line.split(" ")[0] ?? "");
  const twice = names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name} was made twice`);
  const wrong = views
    .filter(({ id, phase, result }) => phase === "done" && commits.get(id) !== result?.commit)
    .map(({ id }) => `${id} has another branch than its record`);
  return [...twice, ...wrong];
}

function listLeftBehind({ marker, places }: Chaos): readonly string[] {
  return [
    ...listMarked(marker).map((pid) => `process ${pid}`),
    ...(isMounted(places.disk) ? [`mount ${places.disk}`] : []),
    ...(existsSync(places.folder) ? [`folder ${places.folder}`] : []),
  ];
}
