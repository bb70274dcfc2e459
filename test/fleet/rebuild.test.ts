/** The server loses its data in the middle: the machines and the git server know what there was. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { expect, test } from "vitest";
import { joinBoth, openFleetRepository } from "../support/fleet-repository.ts";
import { hasServer, openFleetServer } from "../support/fleet-server.ts";
import { tickRepository } from "../support/tick-repository.ts";

const Submitted = v.object({ job: v.string() });
const Job = v.looseObject({ job: v.string(), phase: v.string(), attempt: v.number() });
const Listed = v.object({ held: v.boolean(), jobs: v.array(Job) });
const Rebuilt = v.object({ jobs: v.array(v.object({ job: v.string(), answer: v.string(), phase: v.string() })) });

test.skipIf(!hasServer)("rebuild brings back what was lost, and nothing runs twice", async () => {
  const fleet = await openFleetRepository();
  const { repository, bare, url, server } = fleet;
  const { box, git, task } = repository;
  const { dan, ben } = await joinBoth(fleet);
  const ran = join(box, "ran");
  const submit = async (name: string, ...more: object[]): Promise<string> => {
    const steps = [{ do: "run", argv: ["sh", "-c", `echo ${name} >> ${ran}`] }, ...more];
    writeFileSync(join(box, "task.json"), JSON.stringify(task(steps)));
    const { stdout } = await dan.type("submit", "task", join(box, "task.json"), "--repo", url, "--json");
    return v.parse(Submitted, JSON.parse(stdout)).job;
  };
  const write = { do: "write", path: "src/x.ts", text: "new\n" };
  const done = await submit("done", write);
  expect(await ben.type("worker", "--once", "--unsandboxed")).toMatchObject({ status: 0 });
  const failed = await submit("failed", { do: "exit", status: 3 });
  await ben.type("worker", "--once", "--unsandboxed");
  const cancelled = await submit("cancelled", write);
  expect(await dan.type("queue", "cancel", cancelled)).toMatchObject({ status: 0 });
  const waiting = await submit("waiting", write);
  // Its worker pushed the branch, and the record of its end was lost with the server.
  const pushed = await submit("pushed", write);
  git("--git-dir", bare, "branch", `relais/${pushed}`, "main");

  await server.stop();
  rmSync(join(server.folder, "streams"), { recursive: true });
  const again = await openFleetServer(server.folder, server.port);
  const list = async () => v.parse(Listed, JSON.parse((await dan.type("queue", "--json")).stdout));
  expect((await list()).jobs).toEqual([]);

  const rebuild = async ({ type }: typeof dan) =>
    v.parse(Rebuilt, JSON.parse((await type("queue", "rebuild", "--json")).stdout)).jobs;
  // The submitter does not know that a job has failed; the worker does.
  const first = await rebuild(dan);
  expect(Object.fromEntries(first.map(({ job, answer, phase }) => [job, `${answer} ${phase}`]))).toEqual({
    [done]: "restored done",
    [failed]: "restored waiting",
    [cancelled]: "restored cancelled",
    [waiting]: "restored waiting",
    [pushed]: "restored done",
  });
  // Nothing starts before every machine has told what it knows.
  expect(await ben.type("worker", "--once", "--unsandboxed")).toMatchObject({ status: 0 });
  await rebuild(ben);
  expect((await rebuild(ben)).every(({ answer }) => answer === "known")).toBe(true);
  expect(await dan.type("queue", "resume")).toMatchObject({ status: 0 });
  expect(await ben.type("worker", "--drain", "--unsandboxed")).toMatchObject({ status: 0 });

  const { jobs } = await list();
  const phases = Object.fromEntries(jobs.map(({ job, phase }) => [job, phase]));
  expect(phases).toEqual({
    [done]: "done",
    [failed]: "failed",
    [cancelled]: "cancelled",
    [waiting]: "done",
    [pushed]: "done",
  });
  expect(jobs.find(({ job }) => job === done)).toMatchObject({
    result: { branch: `relais/${done}`, commit: expect.any(String) },
  });
  expect(readFileSync(ran, "utf8")).toBe("done\nfailed\nwaiting\n");
  await again.stop();
});

test("a queue of one machine has nothing to rebuild from", async () => {
  const { relais } = tickRepository();
  expect(await relais("queue", "rebuild")).toMatchObject({
    status: 10,
    stderr: expect.stringContaining("their own record"),
  });
});
