/** Every running job of every machine is seen from every machine, with the age of its worker's last beat. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { expect, test } from "vitest";
import { watchRunningJobs } from "../../src/commands/running-jobs.ts";
import type { LiveEvent } from "../../src/records/live-event.ts";
import { waitUntil } from "../queue/engine-world.ts";
import { joinBoth, openFleetRepository } from "../support/fleet-repository.ts";
import { hasServer } from "../support/fleet-server.ts";
import { openQueueWorld } from "../support/queue-world.ts";
import { relais } from "../support/relais.ts";

const Job = v.object({ job: v.string(), phase: v.string(), worker: v.nullable(v.looseObject({})) });
const Listed = v.object({ jobs: v.array(Job) });
const Answer = v.object({ queue: Listed });

const SEEN = { id: expect.any(String), host: expect.any(String), pid: expect.any(Number), lost: null };
const WORKER = { ...SEEN, silent_seconds: expect.any(Number) };

test.skipIf(!hasServer)("queue, status and the live view show a job that runs on another machine", async () => {
  const fleet = await openFleetRepository();
  const { repository, url, server } = fleet;
  const { box, task } = repository;
  const { dan, ben } = await joinBoth(fleet);
  const seen = join(box, "seen");
  const steps = [
    { do: "run", argv: ["sh", "-c", `until [ -e ${seen} ]; do sleep 0.1; done`] },
    { do: "write", path: "src/x.ts", text: "new\n" },
  ];
  writeFileSync(join(box, "task.json"), JSON.stringify(task(steps)));
  expect(await dan.type("submit", "task", join(box, "task.json"), "--repo", url)).toMatchObject({ status: 0 });
  const worked = ben.type("worker", "--once", "--unsandboxed");

  const list = async () => v.parse(Listed, JSON.parse((await dan.type("queue", "--json")).stdout)).jobs;
  const [running] = await waitUntil(list, (jobs) => jobs[0]?.phase === "running");
  expect(running?.worker).toEqual(WORKER);
  const { queue } = v.parse(Answer, JSON.parse((await dan.type("status", "--json")).stdout));
  expect(queue).toMatchObject({ jobs: [{ job: running?.job, worker: WORKER }] });
  expect((await dan.type("status", "--plain")).stdout).toMatch(/ {2}jobs +.*job-[0-9a-f]+ task: .*seen \d+ s ago/);
  expect((await dan.type("queue", "--plain")).stdout).toMatch(/running +job-.*, pid \d+, seen \d+ s ago\)/);

  const over = new AbortController();
  const events: LiveEvent[] = [];
  const watched = watchRunningJobs(dan.environment, (event) => events.push(event), over.signal);
  await waitUntil(
    () => events.length,
    (count) => count > 0,
  );
  over.abort();
  await watched;
  expect(events[0]).toMatchObject({ kind: "jobs", jobs: [expect.stringMatching(/^job-.* task: .*seen \d+ s ago\)$/)] });

  writeFileSync(seen, "");
  expect(await worked).toMatchObject({ status: 0 });
  await server.stop();
  const gone = await dan.type("status", "--json");
  expect(gone.status).toBe(0);
  expect(JSON.parse(gone.stdout)).toMatchObject({
    queue: { jobs: [], trouble: expect.stringContaining(server.ready().url) },
  });
});

test("a job of this machine's own queue has the same shape", async () => {
  const { repository, engine, submit, environment } = await openQueueWorld();
  const job = await submit([]);
  const claim = await engine.claim(
    { id: "here", host: "here", pid: process.pid },
    { labels: [], leaseMs: 60_000 },
    { until: "once", signal: new AbortController().signal },
  );
  expect(claim?.job).toBe(job);
  const { stdout } = await relais(["status", "--json"], { cwd: repository.root, env: environment });
  const { queue } = v.parse(Answer, JSON.parse(stdout));
  expect(queue).toMatchObject({ jobs: [{ job, phase: "running" }] });
  expect(queue.jobs[0]?.worker).toEqual(WORKER);
  await engine.close();
});
