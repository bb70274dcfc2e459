/** The commands of a shared queue as a person types them, with a real server where it is installed. */
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as v from "valibot";
import { type Fleet, HostName } from "../../src/queue/pure/fleet.ts";
import { UserSettings } from "../../src/queue/pure/user-settings.ts";
import { writeServerConfig } from "../../src/queue/pure/server-config.ts";
import { makeAccount, writeFleet } from "../../src/fleet/fleet-file.ts";
import { hasServer, openFleetServer } from "../support/fleet-server.ts";
import { tickRepository } from "../support/tick-repository.ts";

const REPO = "https://git.example.com/team/app";

async function writeSmallFleet(folder: string): Promise<Fleet> {
  const fleet: Fleet = { version: 1, host: "queue.example.com", port: 4222, accounts: [makeAccount(null)] };
  await writeFleet(folder, fleet);
  writeFileSync(join(folder, "ca.pem"), "-----BEGIN CERTIFICATE-----\nx\n");
  return fleet;
}

test("an invitation is one private file, and joining writes the settings of the person, not of the repository", async () => {
  const { ask, box, root, git } = tickRepository();
  const dir = join(box, "server");
  await writeSmallFleet(dir);
  const file = join(box, "one.json");
  const invited = await ask("queue", "invite", "build-1", "--repo", REPO, "--dir", dir, "--out", file);
  expect(invited).toMatchObject({ status: 0, document: { role: "worker", url: "tls://queue.example.com:4222" } });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.stringify(invited.document)).not.toMatch(/SU[A-Z2-7]{56}/);
  const joined = await ask("queue", "join", file);
  const { settings } = v.parse(v.object({ settings: v.string() }), joined.document);
  expect(settings.startsWith(root)).toBe(false);
  const read = v.parse(UserSettings, JSON.parse(readFileSync(settings, "utf8")));
  expect(read.worker).toEqual({
    repositories: [REPO],
    branches: [],
    commands: ["run", "goal", "campaign", "tree", "loop"],
  });
  expect([settings, read.queue?.credentials ?? ""].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
  const second = join(box, "two.json");
  await ask("queue", "invite", "build-1", "--repo", `${REPO}-two`, "--submitter", "--dir", dir, "--out", second);
  expect((await ask("queue", "join", second)).document).toMatchObject({ repositories: [REPO, `${REPO}-two`] });
  expect(v.parse(UserSettings, JSON.parse(readFileSync(settings, "utf8"))).worker.repositories).toEqual([REPO]);
  expect(git("status", "--porcelain")).toBe("");
});

test("what cannot be used is refused with the next step", async () => {
  const { relais, box } = tickRepository();
  const dir = join(box, "server");
  const open = join(box, "open.json");
  writeFileSync(open, "{}");
  chmodSync(open, 0o644);
  const mistakes: readonly (readonly [number, RegExp, ...string[]])[] = [
    [10, /Run `relais queue serve` first/, "invite", "a", "--repo", REPO, "--dir", dir],
    [10, /no address that other machines can use/, "invite", "a", "--repo", "../app", "--dir", dir],
    [2, /small letters/, "invite", "A B", "--repo", REPO],
    [2, /--repo/, "invite", "a"],
    [2, /exclude each other/, "invite", "a", "--repo", REPO, "--worker", "--submitter"],
    [10, /can be read by others: chmod 600/, "join", open],
    [10, /There is no file/, "join", join(box, "nowhere")],
    [2, /a certificate is for a name/, "serve", "--host", "10.0.0.7", "--dir", dir],
  ];
  for (const [status, says, ...args] of mistakes)
    expect([args, await relais("queue", ...args)]).toEqual([
      args,
      { status, stdout: "", stderr: expect.stringMatching(says) },
    ]);
});

test("each write is synced where the server can do that, and loopback is the default", async () => {
  const fleet: Fleet = { version: 1, host: "localhost", port: 4222, accounts: [makeAccount(null)] };
  const write = (version: string, host = "localhost"): object =>
    v.parse(
      v.looseObject({}),
      JSON.parse(
        writeServerConfig({ ...fleet, host }, { version, folder: "/f", bytesMax: 1000, nameToken: () => "t" }),
      ),
    );
  expect(write("nats-server: v2.9.10")).toMatchObject({
    host: "127.0.0.1",
    jetstream: expect.not.objectContaining({ sync_interval: "always" }),
  });
  expect(write("nats-server: v2.12.1", "queue.example.com")).toMatchObject({
    host: "0.0.0.0",
    jetstream: { sync_interval: "always", max_file_store: 900 },
  });
  expect(["10.0.0.7", "::1", "a b", "-x", "A"].map((name) => v.is(HostName, name))).toEqual(Array(5).fill(false));
});

test.skipIf(!hasServer)("a server takes members while it runs, and starts again with the same accounts", async () => {
  const server = await openFleetServer();
  expect(server.ready()).toMatchObject({ repositories: 0, url: `tls://localhost:${server.port}` });
  await server.invite("build-1", "worker", REPO);
  expect(server.ready().repositories).toBe(1);
  await server.stop();
  const again = await openFleetServer(server.folder);
  expect(again.ready().repositories).toBe(1);
  await again.stop();
});
