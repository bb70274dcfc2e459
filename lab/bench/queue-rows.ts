/**
 * What a slot of the queue costs for each job, beside `xargs -P` with the same commands: the difference of many and few
 * jobs, so that the start of the processes is not in it.
 */
import { cpSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { openFilesEngine } from "../../src/queue/files-parts.ts";
import { REQUIRE } from "../../test/queue/children.ts";
import { jobSpec, jobTerms } from "../../test/queue/jobs.ts";
import { type Bench, type Group, MS, type Row, type Subject } from "./rows.ts";

export const SLOTS = 2;
export const FEW = 10;
export const MANY = 110;
export const KEYS = 200;
/** Jobs that wait and that no worker here can start, before all others. */
const WAITING = [0, 10_000];
export const COMMAND = ["sleep", "0.05"] as const;

const queueName = (waiting: number, jobs: number): string => `queue ${waiting} ${jobs}`;
export const xargsName = (jobs: number): string => `xargs ${jobs}`;

export const QUEUE_GROUP: Group = {
  title: "A job of the queue, beside `xargs -P`",
  rows: WAITING.map((waiting): Row => ({
    title: `slot time per job over xargs, ${waiting.toLocaleString("en")} waiting, ${KEYS} keys`,
    words: ["queue"],
    value: (read) => {
      const queue = read(queueName(waiting, MANY)) - read(queueName(waiting, FEW));
      const xargs = read(xargsName(MANY)) - read(xargsName(FEW));
      return ((queue - xargs) * SLOTS) / (MANY - FEW);
    },
    divisors: [],
    targets: [{ against: MS, must: 30, best: 5 }],
  })),
  prepare: async (bench, names) => {
    const program = await bundleProgram(bench);
    const subjects: Subject[] = [FEW, MANY].map((jobs) => xargsSubject(bench, jobs));
    for (const waiting of WAITING)
      for (const jobs of [FEW, MANY])
        if (names.has(queueName(waiting, jobs))) subjects.push(await queueSubject(bench, program, { waiting, jobs }));
    return { subjects: subjects.filter(({ name }) => names.has(name)), missing: [] };
  },
};

export async function bundleProgram({ folder }: Bench): Promise<string> {
  const outfile = join(folder, "queue-program.mjs");
  await build({
    entryPoints: [resolve("lab/bench/queue-program.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    banner: { js: REQUIRE },
    logLevel: "warning",
  });
  return outfile;
}

export function xargsSubject({ folder, env }: Bench, jobs: number): Subject {
  const line = `seq ${jobs} | xargs -P ${SLOTS} -I {} ${COMMAND.join(" ")}`;
  return { name: xargsName(jobs), commands: [["sh", "-c", line]], cwd: folder, env, status: 0 };
}

interface QueueSize {
  readonly waiting: number;
  readonly jobs: number;
}

/** Each run gets a fresh copy of the same queue. */
async function queueSubject({ folder, env }: Bench, program: string, size: QueueSize): Promise<Subject> {
  const source = join(folder, `queue-${size.waiting}-${size.jobs}`);
  await fillQueue(source, size);
  const copy = `${source}-copy`;
  return {
    name: queueName(size.waiting, size.jobs),
    commands: [[process.execPath, program, "files", copy, String(SLOTS), ...COMMAND]],
    cwd: folder,
    env,
    status: 0,
    before: () => cpSync(source, copy, { recursive: true }),
    after: () => rmSync(copy, { recursive: true, force: true }),
  };
}

async function fillQueue(folder: string, { waiting, jobs }: QueueSize): Promise<void> {
  const engine = await openFilesEngine({ folder });
  const submit = (number: number, needs: string[], priority: number): Promise<string> =>
    engine.submit(jobSpec({ key: `repository#${number % KEYS}`, needs }), jobTerms({ priority }));
  for (let number = 0; number < waiting; number += 1) await submit(number, ["another-machine"], 9);
  const idle = waiting === 0 ? [] : readdirSync(join(folder, "jobs"));
  for (let number = 0; number < jobs; number += 1) await submit(number, [], 0);
  await engine.close();
  // Nobody reads the files of jobs that do not start, and they need not be copied each time.
  for (const name of idle) rmSync(join(folder, "jobs", name), { recursive: true });
}
