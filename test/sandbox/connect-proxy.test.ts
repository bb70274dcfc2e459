import { createServer, request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findAllowed, parseAllowedHost, parseAskedHost } from "../../src/sandbox/allowed-hosts.ts";
import { startConnectProxy } from "../../src/sandbox/connect-proxy.ts";
import { FOR_SOCKETS, scratchFolder } from "../support/scratch-repository.ts";

test.each([
  ["example.org", "example.org:443", true],
  ["example.org", "EXAMPLE.org.:443", true],
  ["example.org", "example.org:80", false],
  ["example.org", "evil-example.org:443", false],
  ["example.org", "example.org.evil.net:443", false],
  ["example.org:8443", "example.org:8443", true],
  ["*.example.org", "a.b.example.org:443", true],
  ["*.example.org", "example.org:443", false],
  ["http://127.0.0.1:8080/v1", "127.0.0.1:8080", true],
  ["http://127.0.0.1:8080/v1", "127.1:8080", false],
  ["http://[::1]:8080", "[::1]:8080", true],
  ["https://gateway.example.org/v1", "gateway.example.org:443", true],
])("%s allows %s: %s", (entry, target, isAllowed) => {
  const allowed = parseAllowedHost(entry);
  const asked = parseAskedHost(target);
  expect(allowed !== null && asked !== null && findAllowed(asked, [allowed]) !== null).toBe(isAllowed);
});

test.each(["example.org", "example.org:", ":443", "a b:443", "example.org:443:1", "http://example.org", ""])(
  "%j is no target",
  (text) => {
    expect(parseAskedHost(text)).toBeNull();
  },
);

async function openProxy(allows: (port: number) => readonly string[]) {
  const folder = scratchFolder(FOR_SOCKETS);
  const service = createServer((_, response) => void response.end("reached"));
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const address = service.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const socketPath = join(folder, "s");
  const allowed = allows(port).flatMap((entry) => parseAllowedHost(entry) ?? []);
  const proxy = await startConnectProxy(socketPath, allowed, {});
  onTestFinished(async () => {
    await proxy.close();
    service.close();
  });
  const ask = (target: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(socketPath);
      let said = "";
      socket.on("data", (chunk: Buffer) => {
        said += chunk.toString("utf8");
        if (said.endsWith("established\r\n\r\n"))
          socket.write("GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
      });
      socket.on("close", () => resolve(said));
      socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n\r\n`);
    });
  const fetchPlain = (url: string): Promise<number> =>
    new Promise((resolve) => {
      request({ socketPath, path: url, method: "GET" }, (reply) => {
        reply.resume();
        resolve(reply.statusCode ?? 0);
      }).end();
    });
  return { proxy, port, ask, fetchPlain };
}

test("an allowed host is reached, and every other one is refused and listed", async () => {
  const { proxy, port, ask } = await openProxy((own) => [`127.0.0.1:${own}`]);
  expect(await ask(`127.0.0.1:${port}`)).toContain("reached");
  expect(await ask(`localhost:${port}`)).toMatch(/^HTTP\/1\.1 403 /u);
  expect(await ask("example.org:443")).toMatch(/^HTTP\/1\.1 403 /u);
  expect(await ask("example.org:443")).toMatch(/^HTTP\/1\.1 403 /u);
  expect(proxy.refused()).toEqual([`localhost:${port}`, "example.org"]);
});

test("a request without encryption is passed on only to an address that is configured so", async () => {
  const plain = await openProxy((own) => [`http://127.0.0.1:${own}`]);
  expect(await plain.fetchPlain(`http://127.0.0.1:${plain.port}/v1`)).toBe(200);
  const encrypted = await openProxy((own) => [`127.0.0.1:${own}`]);
  expect(await encrypted.fetchPlain(`http://127.0.0.1:${encrypted.port}/v1`)).toBe(403);
});

test("a host that is gone is a bad gateway", async () => {
  const { ask } = await openProxy(() => ["127.0.0.1:1"]);
  expect(await ask("127.0.0.1:1")).toMatch(/^HTTP\/1\.1 502 /u);
});

test("a proxy of the person is used, with its login", async () => {
  const asked: string[] = [];
  const upstream = createServer();
  upstream.on("connect", (asking, socket) => {
    asked.push(`${asking.url} ${asking.headers["proxy-authorization"]}`);
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\n\r\nthrough the proxy"));
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const address = upstream.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const folder = scratchFolder(FOR_SOCKETS);
  const socketPath = join(folder, "s");
  const environment = { HTTPS_PROXY: `http://ada:word@127.0.0.1:${port}` };
  const allowed = [{ host: "example.org", port: 443, isPlain: false }];
  const proxy = await startConnectProxy(socketPath, allowed, environment);
  onTestFinished(async () => {
    await proxy.close();
    upstream.close();
  });
  const said = await new Promise<string>((resolve) => {
    const socket = connect(socketPath);
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
      if (text.endsWith("established\r\n\r\n")) socket.write("hello");
    });
    socket.on("close", () => resolve(text));
    socket.write("CONNECT example.org:443 HTTP/1.1\r\n\r\n");
  });
  expect(said).toContain("through the proxy");
  expect(asked).toEqual([`example.org:443 Basic ${Buffer.from("ada:word").toString("base64")}`]);
});
