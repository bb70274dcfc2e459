import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkQueue, describeFleet } from "../../src/run/doctor/doctor-queue.ts";
import type { FleetFacts } from "../../src/run/fleet/examine-fleet.ts";
import { joinFleet } from "../../src/run/fleet/join-fleet.ts";
import { hasServer, openFleetServer } from "../support/fleet-server.ts";
import { scratchFolder } from "../support/scratch-repository.ts";

const FACTS: FleetFacts = { version: "2.12.1", aheadMs: 3, repositories: [{ address: "a/b", copies: 1, excess: [] }] };
const describe = (change: Partial<FleetFacts>) => describeFleet({ ...FACTS, ...change }, "tls://q:4222");

test("version, durability, rights and clock have a line where something is wrong", () => {
  expect(describe({})).toMatchObject([{ status: "ok", message: "tls://q:4222, nats-server 2.12.1, repositories: 1" }]);
  expect(describe({ version: "2.8.4" })).toMatchObject([{ status: "fail", message: expect.stringMatching(/too old/) }]);
  expect(describe({ version: "2.9.10" }).at(1)).toMatchObject({
    status: "warn",
    message: expect.stringMatching(/deferred/),
  });
  expect(describe({ version: "2.9.10", repositories: [{ address: "a/b", copies: 3, excess: [] }] })).toHaveLength(1);
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
  expect(others.filter(({ message }) => !/deferred/.test(message))).toEqual([]);
  await server.stop();
  expect(await checkQueue(environment)).toMatchObject([{ status: "fail", fix: expect.stringMatching(/server runs/) }]);
});
