/** Whose connection it is, as the kernel's table tells. */
import { connect, createServer } from "node:net";
import { once } from "node:events";
import { expect, test } from "vitest";
import { findOwnerInTable, findPeerOwner } from "../../src/system/serve-loopback.ts";

const HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode";
/** Ports 8080 (here) and 50000 (there). */
const HERE =
  "   0: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 5555 1 0 20 4 30 10 -1";
const there = (uid: number, inode: number): string =>
  `   1: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  ${uid}        0 ${inode} 1 0 20 4 30 10 -1`;
const find = (...lines: readonly string[]) =>
  findOwnerInTable([HEAD, ...lines, ""].join("\n"), { localPort: 8080, remotePort: 50_000 });

test("the other end belongs to its user; one that was closed belongs to nobody, whatever the table says", () => {
  expect(find(HERE, there(1001, 7777))).toEqual({ kind: "user", uid: 1001 });
  expect(find(HERE, there(0, 0))).toEqual({ kind: "gone" });
  expect(find(HERE)).toEqual({ kind: "gone" });
  expect(find()).toEqual({ kind: "unknown" });
});

test.skipIf(process.platform !== "linux")("a real connection: open it is of this user, closed it is gone", async () => {
  const server = createServer({ allowHalfOpen: true }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const client = connect(port, "127.0.0.1");
  const [socket] = await once(server, "connection");
  const [localPort, remotePort] = [socket.localPort, socket.remotePort];
  expect(findPeerOwner({ localPort, remotePort })).toEqual({ kind: "user", uid: process.getuid?.() });
  client.destroy();
  await once(socket.resume(), "end");
  expect(findPeerOwner({ localPort, remotePort })).toEqual({ kind: "gone" });
  socket.destroy();
  server.close();
});
