/** The curve over journal lines and bytes. */
import type { Claim, Engine } from "../../src/queue/pure/engine.ts";
import { jobResult, jobSpec, jobTerms } from "../../test/queue/jobs.ts";
import { makeNatsPlace } from "../../test/fleet/nats-server.ts";
import { ENGINES } from "../../test/queue/open-engine.ts";
import { writeNumber } from "../bench/table.ts";
import { timeWork } from "./server-meter.ts";
import { type Load, type LoadSize, makeRow } from "./load-jobs.ts";

const LINE = JSON.stringify({ kind: "event", at: "2026-01-31T00:00:00.000Z", text: "x".repeat(140) });
const BATCH = Array.from({ length: 100 }, () => LINE);
/** Events of one job, about those of a long series. */
const EVENTS_A_JOB = 50_000;
const HEADS = [
  "events",
  "written a second",
  "server CPU for 1,000, ms",
  "bytes an event",
  "first line, ms",
  "server, MB",
];

export async function loadEvents({ url, meter, sizes }: LoadSize): Promise<Load> {
  const engine = await ENGINES.nats(await makeNatsPlace(url));
  const rows: Load["rows"][number][] = [];
  let events = 0;
  let claim: Claim | null = null;
  const bytesBefore = meter.storeBytes("RELAIS_EV");
  for (const size of sizes) {
    const [before, cpuBefore] = [events, meter.cpuMs()];
    const ms = await timeWork(async () => {
      for (; events < size; events += BATCH.length) {
        if (events % EVENTS_A_JOB === 0) claim = await nextClaim(engine, claim, `job-${events}`);
        if ((await claim?.append(BATCH)) !== "recorded") throw new Error(`event ${events} was not recorded`);
      }
    });
    const written = events - before;
    const firstMs = await timeWork(() => readFirst(engine, claim?.job ?? ""));
    const values = [
      (written * 1000) / ms,
      ((meter.cpuMs() - cpuBefore) * 1000) / written,
      (meter.storeBytes("RELAIS_EV") - bytesBefore) / events,
      firstMs,
      meter.memoryMb(),
    ];
    rows.push(makeRow(HEADS, [size.toLocaleString("en"), ...values.map(writeNumber)]));
  }
  await engine.close();
  return { note: `Lines of ${LINE.length} bytes, in batches of ${BATCH.length}.`, rows };
}

async function nextClaim(engine: Engine, before: Claim | null, job: string): Promise<Claim | null> {
  await before?.finish(jobResult());
  await engine.submit(jobSpec(), jobTerms(), job);
  const wait = { until: "once", signal: new AbortController().signal } as const;
  return engine.claim({ id: "writer", host: "here", pid: process.pid }, { labels: [], leaseMs: 60_000 }, wait);
}

async function readFirst(engine: Engine, job: string): Promise<void> {
  const over = new AbortController();
  for await (const line of engine.follow(job, "", over.signal)) {
    if (line.text !== LINE) throw new Error("a line came back as another one");
    over.abort();
  }
}

const MB = 1024 * 1024;
const BYTE_HEADS = ["attachment, MB", "write 1 MB, ms", "read 1 MB, ms", "server CPU for 1 MB, ms"];

/** `sizes` are megabytes of one attachment. */
export async function loadBytes({ url, meter, sizes }: LoadSize): Promise<Load> {
  const engine = await ENGINES.nats(await makeNatsPlace(url));
  const claim = await nextClaim(engine, null, "large");
  const rows: Load["rows"][number][] = [];
  for (const size of sizes) {
    const before = meter.cpuMs();
    const parts = async function* (): AsyncGenerator<Uint8Array, void> {
      for (let count = 0; count < size; count += 1) yield Buffer.alloc(MB, count);
    };
    const putMs = await timeWork(async () => claim?.attach(`part-${size}`, parts()));
    const getMs = await timeWork(async () => {
      let bytes = 0;
      for await (const part of (await engine.readAttachment("large", 1, `part-${size}`)) ?? []) bytes += part.length;
      if (bytes !== size * MB) throw new Error(`${bytes} bytes came back`);
    });
    const values = [putMs / size, getMs / size, (meter.cpuMs() - before) / size];
    rows.push(makeRow(BYTE_HEADS, [String(size), ...values.map(writeNumber)]));
  }
  await engine.close();
  return { rows };
}

const IDLE_MS = 10_000;
const WORKER_HEADS = ["workers that wait", "server CPU a second, ms", "server, MB"];

/** `sizes` are workers that wait for jobs. */
export async function loadWorkers({ url, meter, sizes }: LoadSize): Promise<Load> {
  const place = await makeNatsPlace(url);
  const over = new AbortController();
  const engines: Engine[] = [];
  const waits: Promise<unknown>[] = [];
  const rows: Load["rows"][number][] = [];
  for (const size of sizes) {
    while (engines.length < size) {
      const engine = await ENGINES.nats(place);
      const worker = { id: `worker-${engines.length}`, host: "here", pid: process.pid };
      waits.push(engine.claim(worker, { labels: [], leaseMs: 60_000 }, { until: "signal", signal: over.signal }));
      engines.push(engine);
    }
    const before = meter.cpuMs();
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const cpu = ((meter.cpuMs() - before) * 1000) / IDLE_MS;
    rows.push(makeRow(WORKER_HEADS, [String(size), writeNumber(cpu), writeNumber(meter.memoryMb())]));
  }
  over.abort();
  await Promise.all(waits);
  await Promise.all(engines.map((engine) => engine.close()));
  return { rows };
}
