/** A job that follows its branch, as each job of a schedule does. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { JobSpec } from "../../src/queue/pure/job.ts";
import { openQueueWorld, type QueueWorld } from "../support/queue-world.ts";

const WRITE = { do: "write", path: "src/x.ts", text: "new\n" };

function followed({ repository }: QueueWorld): JobSpec["base"] {
  return { commit: repository.git("rev-parse", "HEAD"), branch: "topic", follows: true };
}

test("the work starts from the newest commit, and result, fetch and landing know it", async () => {
  const world = await openQueueWorld({ handoff: { command: ["sh", "-c", 'cat > "$HOME/handed.json"'] } });
  const { repository, submit, drain, engine } = world;
  const job = await submit([WRITE], { base: followed(world) });
  const base = repository.commit({ "src/y.ts": "newer\n" });
  await drain();
  expect(await engine.find(job)).toMatchObject({ phase: "done", result: { base } });
  expect((await repository.relais("queue", "show", job)).stdout).toMatch(/from +topic at/);
  expect(await repository.ask("fetch", job)).toMatchObject({ status: 0, document: { base: { branch: "topic" } } });
  expect(repository.git("rev-parse", `relais/${job}^`)).toBe(base);
  expect(await repository.ask("land")).toMatchObject({ document: { landings: [{ name: job, outcome: "landed" }] } });
  expect(JSON.parse(readFileSync(join(repository.box, "handed.json"), "utf8"))).toMatchObject({
    kind: "job_ended",
    id: job,
    base: { commit: base, branch: "topic" },
  });
  await engine.close();
});

test("a URL is asked for its branch when the work starts", async () => {
  const world = await openQueueWorld();
  const { repository, submit, drain, engine } = world;
  const url = `file://${repository.root}`;
  const job = await submit([WRITE], { base: followed(world), repository: { kind: "url", url } });
  const base = repository.commit({ "src/y.ts": "newer\n" });
  await drain();
  expect(await engine.find(job)).toMatchObject({ phase: "done", result: { base } });
  expect(repository.git("rev-parse", `relais/${job}^`)).toBe(base);
  await engine.close();
});

test("a configuration that was committed since then counts, and not the copy of the submission", async () => {
  const world = await openQueueWorld();
  const { repository, submit, drain, engine } = world;
  const job = await submit([WRITE], { base: followed(world), config: '{ "version": "0.0" }\n' });
  await drain();
  expect(await engine.find(job)).toMatchObject({ phase: "done" });
  expect(repository.git("status", "--porcelain")).toBe("");
  await engine.close();
});

test("a branch that is gone ends the job with a sentence", async () => {
  const world = await openQueueWorld();
  const { repository, submit, drain, engine } = world;
  const job = await submit([WRITE], { base: followed(world) });
  repository.git("checkout", "--quiet", "-b", "other");
  repository.git("branch", "--quiet", "-D", "topic");
  await drain();
  const summary = `the branch topic: is not in ${repository.root} any more`;
  expect(await engine.find(job)).toMatchObject({ phase: "failed", result: { summary } });
  await engine.close();
});
