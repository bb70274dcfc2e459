/** Servers that cannot carry a queue are refused by name, before anything is written. */
import { once } from "node:events";
import { createServer } from "node:net";
import { connect, errors } from "@nats-io/transport-node";
import { expect, test } from "vitest";
import { openNatsEngine } from "../../src/fleet/open-fleet.ts";
import { callServer } from "../../src/fleet/nats-link.ts";
import { nameNats } from "./nats-server.ts";

/** Says who it is, and answers a ping. Everything else that a client sends is counted. */
async function openFakeServer(info: object) {
  const said: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("data", (data) => {
      for (const line of data.toString("latin1").split("\r\n")) {
        if (line === "PING") socket.write("PONG\r\n");
        else if (line !== "" && !line.startsWith("CONNECT")) said.push(line);
      }
    });
    socket.write(`INFO ${JSON.stringify({ server_id: "F", proto: 1, max_payload: 1_048_576, ...info })}\r\n`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return { url: `nats://127.0.0.1:${port}`, said, close: () => server.close() };
}

const ABLE = { jetstream: true, headers: true };

test.each([
  [{ version: "2.8.4", ...ABLE }, /nats-server 2\.8\.4; the queue needs 2\.9 or later: update it/],
  [{ version: "1.4.1" }, /nats-server 1\.4\.1; the queue needs 2\.9/],
  [{ version: "2.10.0", headers: true }, /lacks JetStream: start it by `relais queue serve`/],
  [{ version: "2.10.0", jetstream: true }, /lacks headers/],
])("a server that says %j is refused", async (info, says) => {
  const server = await openFakeServer(info);
  const connection = await connect({ servers: server.url, reconnect: false });
  await expect(openNatsEngine({ connection, names: nameNats("t"), team: null, canCut: false })).rejects.toMatchObject({
    kind: "refused",
    message: expect.stringMatching(says),
  });
  expect(server.said).toEqual([]);
  await connection.close();
  server.close();
});

test("a server that serves nobody for a moment is asked again; after any other failure it is not", async () => {
  const server = await openFakeServer({ version: "2.10.0", ...ABLE });
  const connection = await connect({ servers: server.url, reconnect: false });
  const unserved = new errors.RequestError("none", { cause: new errors.NoRespondersError("log") });
  const failures: Error[] = [unserved, new Error("jetstream is not enabled", { cause: unserved })];
  const ask = async (): Promise<string> => {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return "served";
  };
  expect(await callServer({ connection }, ask)).toBe("served");
  failures.push(new errors.TimeoutError());
  await expect(callServer({ connection }, ask)).rejects.toMatchObject({ kind: "unreachable" });
  await connection.close();
  server.close();
});
