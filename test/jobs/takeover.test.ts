/** A worker that is killed: its session ends with it, and the next worker finishes the job. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { executable } from "../support/relais.ts";
import { openQueueWorld } from "../support/queue-world.ts";

test("the job of a killed worker is done by the next one, with the work of the first in salvage", async () => {
  const { submit, drain, engine, environment, repository } = await openQueueWorld();
  const job = await submit([
    { do: "write", path: "src/x.ts", text: "new\n" },
    { do: "sleep", ms: 3000 },
  ]);
  const args = [executable, "worker", "--drain", "--unsandboxed"];
  const worker = spawn(process.execPath, args, { cwd: repository.root, env: { ...environment }, stdio: "ignore" });
  const gone = new Promise((done) => worker.once("exit", done));
  for await (const { text } of engine.follow(job, "", AbortSignal.timeout(30_000)))
    if (text.includes('"build_started"')) break;
  worker.kill("SIGKILL");
  await gone;
  // As if the machine had stopped while git made the branch and its bundle.
  const place = join(environment["XDG_STATE_HOME"] ?? "", "relais/queue/work", job);
  for (const name of ["branch.bundle.lock", "repo/.git/HEAD.lock", `repo/.git/refs/heads/relais/${job}.lock`])
    writeFileSync(join(place, name), "");
  expect((await repository.relais("queue")).stdout).toMatch(/^\S lost +job-\S+ .*its worker is gone, last seen /);
  expect((await repository.relais("queue", "show", job)).stdout).toMatch(/waits for +a worker: its worker is gone/);
  expect((await repository.ask("queue", "show", job)).document).toMatchObject({
    phase: "running",
    worker: { lost: "its worker is gone", silent_seconds: expect.any(Number) },
  });
  const events = await drain();
  expect(events.find(({ kind }) => kind === "claimed")).toMatchObject({ attempt: 2 });
  const view = await engine.find(job);
  expect(view).toMatchObject({ phase: "done", attempt: 2, losses: [{ attempt: 1 }], result: { outcome: "done" } });
  expect(view?.spent.sessions).toBe(2);
  await engine.close();
});
