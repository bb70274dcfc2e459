/** A worker that takes jobs of others: what its owner did not allow is refused, and nothing of it runs. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { JobSpec } from "../../src/queue/pure/job.ts";
import type { WorkerTrust } from "../../src/queue/pure/user-settings.ts";
import { findProcessStart } from "../../src/process/process-table.ts";
import { readOwnIdentity } from "../../src/process/process-identity.ts";
import { runJob } from "../../src/jobs/run-job.ts";
import { runWorker } from "../../src/jobs/run-worker.ts";
import { openQueueWorld, type QueueWorld } from "../support/queue-world.ts";
import { executable } from "../support/relais.ts";

const WRITE = [{ do: "write", path: "src/x.ts", text: "new\n" }];

interface SharedWorld extends QueueWorld {
  readonly url: string;
  /** Lets a worker with this trust take one job, and answers with its result. */
  readonly take: (
    change: Partial<JobSpec>,
    trust?: Partial<WorkerTrust>,
  ) => Promise<{ outcome: string; summary: string }>;
}

async function openSharedWorld(): Promise<SharedWorld> {
  const world = await openQueueWorld();
  const { repository, queue, engine, environment } = world;
  const bare = join(repository.box, "app.git");
  repository.git("clone", "--quiet", "--bare", repository.root, bare);
  const url = `file://${bare}`;
  return {
    ...world,
    url,
    take: async (change, trust = {}) => {
      const spec = { repository: { kind: "url", url }, key: `${url}#topic`, ...change } as const;
      const job = await world.submit(WRITE, spec);
      await runWorker(
        { ...queue, trust: { repositories: [url], branches: [], commands: ["task", "goal"], ...trust } },
        {
          slots: 1,
          labels: [],
          until: "once",
          signal: new AbortController().signal,
          emit: () => {},
          relais: [process.execPath, executable],
          environment,
          isSandboxed: false,
        },
      );
      const { outcome = "", summary = "" } = (await engine.find(job))?.result ?? {};
      return { outcome, summary };
    },
  };
}

test("an allowed job runs, is pushed to the owner's own address, and the address in the job is never used", async () => {
  const { take, url, repository } = await openSharedWorld();
  const done = await take({ repository: { kind: "url", url: url.replace("file://", "file://nobody@") } });
  expect(done).toMatchObject({ outcome: "done" });
  const refs = repository.git("--git-dir", url.slice("file://".length), "for-each-ref", "refs/heads/relais");
  expect(refs).toContain("refs/heads/relais/job-");
});

test("a configuration, another repository, a file outside and a command that is not allowed end the job", async () => {
  const { take, repository, queue } = await openSharedWorld();
  const secret = join(repository.box, "secret");
  const jobs: readonly (readonly [Partial<JobSpec>, RegExp])[] = [
    [{ config: "{}" }, /^Refused: It carries a configuration/],
    [{ repository: { kind: "path", path: repository.root } }, /^Refused: It names a folder/],
    [{ repository: { kind: "url", url: `ext::sh -c touch% ${secret}` } }, /^Refused: .*worker\.repositories/],
    [{ arguments: [`--file=../../../${secret}`, "--", "task.json"] }, /^Refused: --file names no file/],
    [{ arguments: ["--check=none", "--", "task.json"] }, /^Refused: The option --check=none is not allowed/],
    [{ command: "loop", arguments: [] }, /^Refused: .*worker\.commands/],
  ];
  for (const [change, summary] of jobs)
    expect(await take(change)).toEqual({ outcome: "failed", summary: expect.stringMatching(summary) });
  expect([existsSync(secret), existsSync(queue.work)]).toEqual([false, false]);
});

test("a commit outside the allowed branches brings no configuration of its own", async () => {
  const { take, repository, url } = await openSharedWorld();
  const { git, put } = repository;
  const bare = url.slice("file://".length);
  git("checkout", "--quiet", "-b", "evil");
  put({ "relais.config.json": '{"runner":{"project_id":"evil"}}' });
  git("add", "-f", "relais.config.json");
  git("commit", "--quiet", "-m", "other rules");
  git("push", "--quiet", bare, "evil");
  const base = { commit: git("rev-parse", "HEAD"), branch: "topic" };
  expect(await take({ base })).toEqual({
    outcome: "failed",
    summary: expect.stringMatching(/is not part of the repository's main branch \(worker\.branches\)/),
  });
  expect(await take({ base }, { branches: ["main", "topic"] })).toMatchObject({ outcome: "failed" });
});

test("a job asks for no more turns than the repository's configuration allows", async () => {
  const { take } = await openSharedWorld();
  const goal: Partial<JobSpec> = { command: "goal", files: {}, arguments: ["--max-turns=9999", "--", "All is new"] };
  expect(await take(goal)).toEqual({
    outcome: "failed",
    summary: "Refused: --max-turns=9999 is more than the repository's configuration allows.",
  });
});

const insist = <T>(work: () => Promise<T>): Promise<T> => work();

test("a record with the number of another process of the owner ends nothing", async () => {
  const { engine, url, submit, queue, environment } = await openSharedWorld();
  const other = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
  const pid = other.pid ?? 0;
  const birth = (await findProcessStart(pid)) ?? "";
  const { bootId: boot } = await readOwnIdentity();
  const job = await submit(WRITE, { repository: { kind: "url", url }, key: `${url}#topic` });
  const wait = { signal: new AbortController().signal, until: "once" } as const;
  const claim = await engine.claim({ id: "w", host: "h", pid: 1 }, { labels: [], leaseMs: 60_000 }, wait);
  if (claim === null) throw new Error("no claim");
  const leftovers = [{ job, attempt: 1, process: { pid, birth, boot } }];
  const trust = { repositories: [url], branches: [], commands: ["task" as const] };
  const relais = [process.execPath, executable] as const;
  const run = { ...queue, claim: { ...claim, leftovers }, relais, environment, isSandboxed: false, stop: wait.signal };
  expect(await runJob({ ...run, trust, insist })).toMatchObject({ kind: "finished", result: { outcome: "done" } });
  expect(await findProcessStart(pid)).toBe(birth);
  other.kill("SIGKILL");
});
