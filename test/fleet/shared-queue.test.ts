/** Submitter and worker with homes of their own, as on two machines, on a real server: the executable, not its sources. */
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import * as v from "valibot";
import { expect, test } from "vitest";
import { joinAs } from "../support/fleet-member.ts";
import { joinBoth, openFleetRepository } from "../support/fleet-repository.ts";
import { hasServer, openFleetServer } from "../support/fleet-server.ts";
import { tickRepository } from "../support/tick-repository.ts";

const Submitted = v.object({ job: v.string() });
const Fetched = v.object({
  folder: v.string(),
  files: v.array(v.string()),
  salvage: v.array(v.object({ ref: v.string() })),
});

test.skipIf(!hasServer)("a job goes from one home to another over the server, and its branch comes back", async () => {
  const fleet = await openFleetRepository();
  const { repository, bare, url, server } = fleet;
  const { box, git, task } = repository;
  const { dan, ben } = await joinBoth(fleet);
  writeFileSync(join(box, "task.json"), JSON.stringify(task([{ do: "write", path: "src/x.ts", text: "new\n" }])));

  const submitted = await dan.type("submit", "task", join(box, "task.json"), "--repo", url, "--json");
  const { job } = v.parse(Submitted, JSON.parse(submitted.stdout));
  expect(await ben.type("worker", "--once", "--unsandboxed")).toMatchObject({ status: 0 });
  expect((await dan.type("queue", "--plain")).stdout).toMatch(new RegExp(`done +${job}`));
  expect(await dan.type("fetch", job)).toMatchObject({ status: 0 });
  expect(git("show", `relais/${job}:src/x.ts`)).toBe("new");
  expect(git("--git-dir", bare, "rev-parse", `relais/${job}`)).toBe(git("rev-parse", `relais/${job}`));

  // A change that was reverted: its lines, transcripts and salvage come from the server, because the worker has removed its place.
  const [write, says] = [
    { do: "write", path: "outside.ts", text: "lost\n" },
    { do: "print", stream: "stdout", text: "said it\n" },
  ];
  writeFileSync(join(box, "task.json"), JSON.stringify(task([says, write])));
  const second = await dan.type("submit", "task", join(box, "task.json"), "--repo", url, "--json");
  const { job: failed } = v.parse(Submitted, JSON.parse(second.stdout));
  expect(await ben.type("worker", "--once", "--unsandboxed")).toMatchObject({ status: 10 });
  const eva = await joinAs("eva", repository, await server.invite("eva", "submitter", url));
  const fetched = v.parse(Fetched, JSON.parse((await eva.type("fetch", failed, "--json")).stdout));
  expect(git("show", `${fetched.salvage[0]?.ref}:outside.ts`)).toBe("lost");
  expect(fetched.files).toEqual(expect.arrayContaining(["journal.jsonl", "transcripts.txt"]));
  expect(readFileSync(join(fetched.folder, "transcripts.txt"), "utf8")).toMatch(/^=== \S+ builder\n[^]*said it/);
  await server.stop();
});

/** A machine that takes connections and never says anything. */
async function openSilence(port: number): Promise<() => Promise<void>> {
  const sockets = new Set<Socket>();
  const silence = createServer((socket) => void sockets.add(socket)).listen(port, "127.0.0.1");
  await once(silence, "listening");
  return async () => {
    for (const socket of sockets) socket.destroy();
    silence.close();
    await once(silence, "close");
  };
}

test.skipIf(!hasServer)("a server that is gone, or silent, is named with its own code and what to do", async () => {
  const repository = tickRepository();
  const server = await openFleetServer();
  const dan = await joinAs("dan", repository, await server.invite("dan", "submitter", "https://git.example.com/a/b"));
  await server.stop();
  const expected = {
    verdict: "blocked",
    code: "BLOCKED_QUEUE_UNAVAILABLE",
    cause: "queue_unreachable",
    message: expect.stringContaining(`The server ${server.ready().url} cannot be reached`),
    remedy: expect.stringContaining("relais doctor"),
  };
  for (const args of [["queue"], ["worker", "--once", "--unsandboxed"], ["fetch", "job-1"]]) {
    const { status, stdout } = await dan.type(...args, "--json");
    expect([args, status, JSON.parse(stdout)]).toEqual([args, 11, expect.objectContaining(expected)]);
  }
  const close = await openSilence(server.port);
  const { status, stdout, stderr } = await dan.type("queue");
  await close();
  expect([status, stdout]).toEqual([11, ""]);
  expect(stderr).toMatch(/^BLOCKED_QUEUE_UNAVAILABLE|The server .* cannot be reached/m);
  expect(stderr).toContain("Next: Start the server");
});
