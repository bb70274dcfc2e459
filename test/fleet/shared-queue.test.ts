/** Submitter and worker with homes of their own, as on two machines, on a real server: the executable, not its sources. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { expect, test } from "vitest";
import { joinAs } from "../support/fleet-member.ts";
import { hasServer, openFleetServer } from "../support/fleet-server.ts";
import { tickRepository } from "../support/tick-repository.ts";

const Submitted = v.object({ job: v.string() });

test.skipIf(!hasServer)("a job goes from one home to another over the server, and its branch comes back", async () => {
  const repository = tickRepository({ branch: "main" });
  const { box, root, git, task } = repository;
  const bare = join(box, "app.git");
  git("clone", "--quiet", "--bare", root, bare);
  const url = `file://${bare}`;
  const server = await openFleetServer();
  const dan = await joinAs("dan", repository, await server.invite("dan", "submitter", url));
  const ben = await joinAs("ben", repository, await server.invite("ben", "worker", url));
  ben.allow("task");
  writeFileSync(join(box, "task.json"), JSON.stringify(task([{ do: "write", path: "src/x.ts", text: "new\n" }])));

  const submitted = await dan.type("submit", "task", join(box, "task.json"), "--repo", url, "--json");
  const { job } = v.parse(Submitted, JSON.parse(submitted.stdout));
  expect(await ben.type("worker", "--once", "--unsandboxed")).toMatchObject({ status: 0 });
  expect((await dan.type("queue", "--plain")).stdout).toMatch(new RegExp(`done +${job}`));
  expect(await dan.type("fetch", job)).toMatchObject({ status: 0 });
  expect(git("show", `relais/${job}:src/x.ts`)).toBe("new");
  expect(git("--git-dir", bare, "rev-parse", `relais/${job}`)).toBe(git("rev-parse", `relais/${job}`));

  await server.stop();
  const gone = await dan.type("queue");
  expect(gone).toMatchObject({ status: 11, stderr: expect.stringContaining("cannot be reached") });
});
