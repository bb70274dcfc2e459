/** One chaos run: jobs, workers, and what happens to them. Answers what was found at the end. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isPassing, type JobView } from "../../src/queue/pure/engine.ts";
import { jobSpec, jobTerms } from "../../test/queue/jobs.ts";
import { makeNatsPlace, type NatsServer, openNatsServer } from "../../test/fleet/nats-server.ts";
import type { Chaos, ChaosFound, ChaosWish } from "./chaos.ts";
import { type ChaosPlaces, chaosPlaces } from "./chaos-places.ts";
import { startWorker } from "./chaos-workers.ts";
import { examineChaos, listLeftBehind } from "./examine-chaos.ts";
import { openChaosEngine } from "./open-chaos-engine.ts";
import { makeRandom } from "../../scripts/random.ts";
import { openRealCrew } from "./real-crew.ts";
import { openSmallCrew } from "./small-crew.ts";
import { mountSmallDisk, type SmallDisk } from "./small-disk.ts";

const DRAIN_MS = 300_000;

export async function runChaos(wish: ChaosWish): Promise<ChaosFound> {
  const startedAt = Date.now();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "relais-chaos-")));
  const places = chaosPlaces(folder);
  mkdirSync(places.disk);
  const disk = wish.isReal || wish.isFleet ? null : mountSmallDisk(places.disk);
  const server = wish.isFleet ? await openNatsServer(join(folder, "nats")) : null;
  try {
    mkdirSync(places.locks);
    writeFileSync(places.overlaps, "");
    if (server !== null) writeFileSync(places.server, await makeNatsPlace(server.url));
    const chaos = { ...(await openChaos(wish, places, disk)), server };
    try {
      await harass(chaos);
      await drain(chaos);
    } finally {
      await endWorkers(chaos);
    }
    await listOpen(chaos);
    const found = await examineChaos(chaos);
    await chaos.engine.close();
    await server?.stop();
    disk?.unmount();
    rmSync(folder, { recursive: true, force: true });
    const leftBehind = listLeftBehind(chaos);
    return { ...found, leftBehind, seconds: Math.round((Date.now() - startedAt) / 1000) };
  } finally {
    await server?.stop();
    disk?.unmount();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function openChaos(wish: ChaosWish, places: ChaosPlaces, disk: SmallDisk | null): Promise<Chaos> {
  const crew = await (wish.isReal ? openRealCrew(places) : openSmallCrew(places));
  return {
    wish,
    places,
    crew,
    disk,
    random: makeRandom(wish.seed),
    engine: await openChaosEngine(places, { folder: crew.queue }),
    marker: `${process.pid}-${wish.seed}`,
    workers: [],
    counts: { alone: 0, all: 0, stops: 0, disks: 0, jumps: 0, servers: 0 },
    server: null,
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
  const { crew, wish, random, counts } = chaos;
  let progress = 0;
  while (counts.alone + counts.all < wish.kills) {
    replaceWorkers(chaos);
    await topUp(chaos);
    await pause(100 + random.below(crew.pauseMs));
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
  const { places, workers, marker, crew } = chaos;
  const alive = workers.filter((worker) => !worker.isGone());
  workers.splice(0, workers.length, ...alive);
  while (workers.length < crew.workers) {
    chaos.started += 1;
    const name = `worker-${chaos.started}`;
    const onError = (text: string): void => void (chaos.errors = `${chaos.errors}${name}: ${text}`.slice(0, 20_000));
    workers.push(startWorker({ places, marker, command: crew.command(name), env: crew.env, onError }));
  }
}

/** A full disk refuses jobs, too; then there are fewer for a while. */
async function topUp(chaos: Chaos): Promise<void> {
  const { crew, engine, random, cancels } = chaos;
  try {
    const open = await listOpen(chaos);
    for (let count = open.length; count < crew.backlog; count += 1) await submitOne(chaos);
    const victim = random.below(30) === 0 ? random.pick(open) : undefined;
    if (victim !== undefined && (await engine.ask(victim.id, "cancel")) !== "over") cancels.add(victim.id);
  } catch (error) {
    if (!isPassing(error)) throw error;
  }
}

async function listOpen({ engine, views }: Chaos): Promise<readonly JobView[]> {
  const all = await engine.jobs();
  for (const view of all) views.set(view.id, view);
  return all.filter(({ phase }) => phase === "waiting" || phase === "running");
}

async function submitOne({ crew, engine, random, submitted, dependents }: Chaos): Promise<void> {
  const id = `job-${submitted.length + 1}`;
  const spec = jobSpec(crew.describeJob(random));
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
  const { crew, random, workers, counts, disk, server, places } = chaos;
  const worker = random.pick(workers.filter((one) => !one.isGone() && !one.isStopped()));
  const dice = crew.isSmall ? random.below(20) : 5 + random.below(15);
  if (dice < 2) {
    counts.jumps += 1;
    writeFileSync(places.clock, String((random.below(2_000_000) - 1_000_000) * 60_000));
  } else if (dice < 3 && disk !== null) {
    counts.disks += 1;
    disk.fill();
    await pause(300 + random.below(1500));
    disk.clear();
  } else if (dice < 3 && server !== null) {
    counts.servers += 1;
    await restart(server, random.below(600));
  } else if (worker === undefined) return;
  else if (dice < 6) {
    counts.stops += 1;
    chaos.pending.push(worker.stopFor(crew.leaseMs + 200 + random.below(1500)));
  } else if (dice < 13) {
    counts.alone += 1;
    worker.killAlone();
  } else {
    counts.all += 1;
    worker.killAll();
  }
}

async function restart(server: NatsServer, ms: number): Promise<void> {
  await server.stop("SIGKILL");
  await pause(ms);
  await server.start();
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
