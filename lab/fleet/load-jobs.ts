/** The curve over jobs: what submitting, opening, listing and working cost as the queue grows. */
import type { Claim, Engine } from "../../src/queue/pure/engine.ts";
import { jobResult, jobSpec, jobTerms } from "../../test/queue/jobs.ts";
import { makeNatsPlace } from "../../test/fleet/nats-server.ts";
import { ENGINES } from "../../test/queue/open-engine.ts";
import { writeNumber } from "../bench/table.ts";
import { type ServerMeter, timeWork } from "./server-meter.ts";

const KEYS = 200;
const SLOTS = 4;
/** Jobs that are worked on at each size. */
const SAMPLE = 20;
const HEADS = [
  "jobs",
  "submit, ms",
  "open, ms",
  "list, ms",
  "claim and finish, ms",
  "server CPU a job, ms",
  "server, MB",
];

/** What one part of the load test measured: a row for each size. */
export interface Load {
  readonly note?: string;
  readonly rows: readonly Readonly<Record<string, string>>[];
}

export function makeRow(heads: readonly string[], cells: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(heads.map((head, at) => [head, cells[at] ?? ""]));
}

export interface LoadSize {
  readonly url: string;
  readonly meter: ServerMeter;
  readonly sizes: readonly number[];
}

export async function loadJobs({ url, meter, sizes }: LoadSize): Promise<Load> {
  const place = await makeNatsPlace(url);
  const engine = await ENGINES.nats(place);
  const rows: Load["rows"][number][] = [];
  let jobs = 0;
  for (const size of sizes) {
    const [before, cpuBefore] = [jobs, meter.cpuMs()];
    const submitMs = await timeWork(async () => {
      for (; jobs < size; jobs += 1) await engine.submit(jobSpec({ key: `repository#${jobs % KEYS}` }), jobTerms());
    });
    const cpuMs = (meter.cpuMs() - cpuBefore) / (jobs - before);
    const opened: Engine[] = [];
    const openMs = await timeWork(async () => opened.push(await ENGINES.nats(place)));
    for (const other of opened) await other.close();
    const listMs = await timeWork(() => engine.jobs());
    const workMs = await timeWork(() => work(engine, `sample-${size}`, SAMPLE));
    const values = [submitMs / (jobs - before), openMs, listMs, workMs / SAMPLE, cpuMs, meter.memoryMb()];
    rows.push(makeRow(HEADS, [size.toLocaleString("en"), ...values.map(writeNumber)]));
  }
  const left = (await engine.jobs()).filter(({ phase }) => phase === "waiting").length;
  const cpuBefore = meter.cpuMs();
  const allMs = await timeWork(() =>
    Promise.all(Array.from({ length: SLOTS }, (_, slot) => work(engine, `slot-${slot}`, Number.POSITIVE_INFINITY))),
  );
  const done = (await engine.jobs()).filter(({ phase }) => phase === "done").length;
  await engine.close();
  if (done !== jobs) throw new Error(`${done} of ${jobs} jobs are done`);
  const bytes = (prefix: string): string => writeNumber(meter.storeBytes(prefix) / jobs);
  const note = [
    `All ${jobs.toLocaleString("en")} jobs of ${KEYS} keys ended as done: the last ${left.toLocaleString("en")} by ${SLOTS} slots of one`,
    `process in ${Math.round(allMs / 1000)} s, ${writeNumber((allMs * SLOTS) / left)} ms of a slot and`,
    `${writeNumber((meter.cpuMs() - cpuBefore) / left)} ms of the server's CPU each.`,
    `A job takes ${bytes("RELAIS_LOG")} bytes of the log and ${bytes("OBJ_")} of the object store.`,
  ].join(" ");
  return { note, rows };
}

/** Claims and finishes so many jobs, or all. */
async function work(engine: Engine, worker: string, count: number): Promise<void> {
  const next = (): Promise<Claim | null> =>
    engine.claim(
      { id: worker, host: "here", pid: process.pid },
      { labels: [], leaseMs: 60_000 },
      {
        until: "once",
        signal: new AbortController().signal,
      },
    );
  for (let done = 0; done < count; done += 1) {
    const claim = await next();
    if (claim === null) return;
    await claim.finish(jobResult());
  }
}
