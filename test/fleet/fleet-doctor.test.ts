import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { expect, test } from "vitest";
import { Fleet, FleetCredentials } from "../../src/queue/pure/fleet.ts";
import { checkQueue, describeFleet } from "../../src/setup/doctor.ts";
import type { FleetFacts } from "../../src/fleet/examine-fleet.ts";
import { joinFleet } from "../../src/fleet/join-fleet.ts";
import { hasServer, openFleetServer } from "../support/fleet-server.ts";
import { scratchFolder } from "../support/scratch-repository.ts";

const FACTS: FleetFacts = {
  version: "2.12.1",
  isSynced: true,
  aheadMs: 3,
  repositories: [{ address: "a/b", copies: 1, excess: [] }],
};
const describe = (change: Partial<FleetFacts>) => describeFleet({ ...FACTS, ...change }, "tls://q:4222");

test("version, durability, rights and clock have a line where something is wrong", () => {
  expect(describe({})).toMatchObject([
    { status: "ok", message: "tls://q:4222, nats-server 2.12.1, repositories: 1, copies of each: 1" },
  ]);
  expect(describe({ version: "2.8.4" })).toMatchObject([{ status: "fail", message: expect.stringMatching(/too old/) }]);
  expect(describe({ version: "2.9.10", isSynced: false }).at(1)).toMatchObject({
    status: "warn",
    message: expect.stringMatching(/deferred/),
    fix: expect.stringMatching(/2\.10/),
  });
  expect(describe({ isSynced: false }).at(1)).toMatchObject({
    status: "warn",
    message: expect.stringMatching(/deferred/),
    fix: expect.stringMatching(/relais queue serve/),
  });
  expect(
    describe({ version: "2.9.10", isSynced: false, repositories: [{ address: "a/b", copies: 3, excess: [] }] }),
  ).toMatchObject([{ status: "ok", message: expect.stringMatching(/copies of each: 3$/) }]);
  expect(describe({ aheadMs: 61_000 }).at(1)).toMatchObject({
    status: "warn",
    message: expect.stringMatching(/61 s ahead/),
  });
  expect(describe({ repositories: [{ address: "a/b", copies: 1, excess: ["STREAM.NAMES"] }] }).at(1)).toMatchObject({
    status: "fail",
    problems: ["STREAM.NAMES"],
  });
  expect(describe({ aheadMs: -61_000 }).at(1)).toMatchObject({
    status: "warn",
    message: expect.stringMatching(/61 s behind/),
  });
});

test("without settings there is no line, and settings that others can read are refused", async () => {
  const home = scratchFolder();
  expect(await checkQueue({ HOME: home })).toEqual([]);
  mkdirSync(join(home, ".config/relais"), { recursive: true });
  const file = join(home, ".config/relais/settings.json");
  writeFileSync(file, "{}");
  chmodSync(file, 0o644);
  expect(await checkQueue({ HOME: home })).toMatchObject([
    { status: "fail", message: expect.stringMatching(/can be read by others/) },
  ]);
  chmodSync(file, 0o600);
  expect(await checkQueue({ HOME: home })).toMatchObject([
    { status: "fail", message: expect.stringMatching(/version/) },
  ]);
});

test.skipIf(!hasServer)("a member asks a real server; without it, doctor says what to do", async () => {
  const server = await openFleetServer();
  const environment = { HOME: scratchFolder() };
  await server.invite("build-1", "worker", "https://git.example.com/team/app");
  await joinFleet(join(server.folder, "build-1.json"), environment);
  const [first, ...others] = await checkQueue(environment);
  expect(first).toMatchObject({
    status: "ok",
    message: expect.stringMatching(/^tls:\/\/localhost:\d+, nats-server \d/),
  });
  const isOld = / nats-server 2\.9\./.test(first?.message ?? "");
  expect(others.map(({ message }) => /deferred/.test(message))).toEqual(isOld ? [true] : []);
  // A key with the rights of the owner is found by trying.
  const fleet = v.parse(Fleet, JSON.parse(readFileSync(join(server.folder, "fleet.json"), "utf8")));
  const owner = fleet.accounts.find(({ repository }) => repository !== null)?.owner.seed ?? "";
  const keys = join(environment.HOME, ".config/relais/credentials.json");
  const own = v.parse(FleetCredentials, JSON.parse(readFileSync(keys, "utf8")));
  const repositories = own.repositories.map((one) => ({ ...one, seed: owner }));
  writeFileSync(keys, JSON.stringify({ ...own, repositories }), { mode: 0o600 });
  expect((await checkQueue(environment)).find(({ status }) => status === "fail")).toMatchObject({
    message: expect.stringMatching(/has rights that only the owner should have/),
    problems: expect.arrayContaining(["STREAM.NAMES"]),
  });
  await server.stop();
  expect(await checkQueue(environment)).toMatchObject([{ status: "fail", fix: expect.stringMatching(/server runs/) }]);
});
