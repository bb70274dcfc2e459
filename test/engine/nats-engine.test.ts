import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { scratchFolder } from "../support/scratch-repository.ts";
import { describeEngine } from "./describe-engine.ts";
import { findNatsServer, makeNatsPlace, type NatsServer, openNatsServer } from "./nats-server.ts";

describe.skipIf(findNatsServer() === null)("on a server (skipped where nats-server is not installed)", () => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await openNatsServer(join(scratchFolder(), "nats"));
  });
  afterAll(() => server.stop());
  describeEngine("nats", () => makeNatsPlace(server.url));
});
