import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { scratchFolder } from "../support/scratch-repository.ts";
import { describeEngine } from "../queue/describe-engine.ts";
import { listNatsServers, makeNatsPlace, type NatsServer, openNatsServer, readNatsVersion } from "./nats-server.ts";

const servers = listNatsServers().map((program) => ({ program, version: readNatsVersion(program) }));

describe.skipIf(servers.length === 0)("servers (skipped where nats-server is not installed)", () => {
  describe.each(servers)("nats-server $version", ({ program }) => {
    let server: NatsServer;
    beforeAll(async () => {
      server = await openNatsServer(join(scratchFolder(), "nats"), { program });
    });
    afterAll(() => server.stop());
    describeEngine("nats", () => makeNatsPlace(server.url));
  });
});
