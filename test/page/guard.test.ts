/** `relais ui` and requests of those who may not ask: each rule with a request that breaks it. */
import { execFile } from "node:child_process";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { inWorld } from "../support/scenario.ts";
import { LEAVE_RESULT } from "../support/scenario-documents.ts";
import { readStream, type UiQuestion, type UiServer, withUi } from "../support/ui-server.ts";

type BadRequest = readonly [what: string, status: number, question: (ui: UiServer) => UiQuestion];

const API = "/api/stream";
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const UPGRADE = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13" };
/** With the right token, so that only the named thing is wrong. */
const foreign = (headers: (ui: UiServer) => Readonly<Record<string, string>>, path = API) => {
  return (ui: UiServer): UiQuestion => ({ path, headers: { ...bearer(ui.token), ...headers(ui) } });
};
const post = (more: (ui: UiServer) => Partial<UiQuestion>) => {
  return (ui: UiServer): UiQuestion => ({
    path: "/api/act",
    method: "POST",
    body: "{}",
    ...more(ui),
    headers: { ...bearer(ui.token), "Content-Type": "application/json", ...more(ui).headers },
  });
};

const OPEN = { method: "POST", body: "{}", headers: { "Content-Type": "application/json" } };

/** A token may begin with `_` by chance, one in 64 does. */
const falsify = (token: string): string => token.replace(/^./, (first) => (first === "_" ? "-" : "_"));

const BAD: readonly BadRequest[] = [
  ["a name that was made to point here", 421, foreign(({ port }) => ({ Host: `evil.example:${port}` }))],
  ["the same for the page", 421, foreign(({ port }) => ({ Host: `evil.example:${port}` }), "/")],
  ["a host without the port", 421, foreign(() => ({ Host: "127.0.0.1" }))],
  ["another port", 421, foreign(({ port }) => ({ Host: `127.0.0.1:${port + 1}` }))],
  ["another address of this machine", 421, foreign(({ port }) => ({ Host: `[::1]:${port}` }))],
  ["a host behind a longer name", 421, foreign(({ port }) => ({ Host: `localhost:${port}.evil.example` }))],
  ["another site", 403, foreign(() => ({ Origin: "https://evil.example" }))],
  ["a page without an origin", 403, foreign(() => ({ Origin: "null" }))],
  ["a server on another port", 403, foreign(({ port }) => ({ Origin: `http://127.0.0.1:${port + 1}` }))],
  ["the same host with https", 403, foreign(({ port }) => ({ Origin: `https://127.0.0.1:${port}` }))],
  ["a request that another site caused", 403, foreign(() => ({ "Sec-Fetch-Site": "cross-site" }))],
  ["a page that another site opened", 403, foreign(() => ({ "Sec-Fetch-Site": "cross-site" }), "/")],
  ["a sibling of this site", 403, foreign(() => ({ "Sec-Fetch-Site": "same-site" }))],
  ["no token", 401, () => ({ path: API })],
  ["a wrong token", 401, ({ token }) => ({ path: API, headers: bearer(falsify(token)) })],
  ["half a token", 401, ({ token }) => ({ path: API, headers: bearer(token.slice(0, -1)) })],
  ["an empty token", 401, () => ({ path: API, headers: bearer("") })],
  ["the token in the address", 401, ({ token }) => ({ path: `${API}?token=${token}` })],
  ["the token in the address and in its place", 401, foreign(() => ({}), `${API}?token=x`)],
  ["the token in a cookie", 401, ({ token }) => ({ path: API, headers: { Cookie: `token=${token}` } })],
  ["the token as a password", 401, ({ token }) => ({ path: API, headers: { Authorization: `Basic ${token}` } })],
  ["another method", 405, ({ token }) => ({ path: API, method: "DELETE", headers: bearer(token) })],
  ["the question whether another site may ask", 405, () => ({ path: "/api/act", method: "OPTIONS" })],
  ["a socket that stays open, without a token", 401, () => ({ path: API, headers: UPGRADE })],
  ["a socket of another site", 403, foreign(() => ({ ...UPGRADE, Origin: "https://evil.example" }))],
  ["the address of a proxy", 400, ({ token }) => ({ path: "http://evil.example/", headers: bearer(token) })],
  ["a decision without a token", 401, post(() => ({ headers: { Authorization: "" } }))],
  ["a decision of another site", 403, post(() => ({ headers: { Origin: "https://evil.example" } }))],
  ["a decision as a form", 415, post(() => ({ headers: { "Content-Type": "text/plain" } }))],
  ["a decision without a type", 415, post(() => ({ headers: { "Content-Type": "" } }))],
  ["a decision that is too long", 413, post(() => ({ body: "x".repeat(100_000) }))],
  ["a decision that is no JSON", 400, post(() => ({ body: "{" }))],
  ["a decision without a tick", 400, post(() => ({ body: JSON.stringify({ repository: "x", action: "undo" }) }))],
  ["a decision as a link", 404, ({ token }) => ({ path: "/api/act", headers: bearer(token) })],
  ["a file of this machine", 400, ({ token }) => ({ path: "/api/../../etc/passwd", headers: bearer(token) })],
  ["another way to the documents, without a token", 400, () => ({ path: "/./api/run" })],
  ["the name of a host before the path", 400, () => ({ path: "//evil.example/api/run" })],
  ["the name of a host behind a backslash", 400, () => ({ path: "/\\evil.example/api/run" })],
  ["no name of a host", 400, () => ({ path: "//" })],
  ["a path with a dot in disguise", 400, () => ({ path: "/%2e/api/run" })],
  ["the token for a key that nobody has", 400, () => ({ ...OPEN, path: "/x/../api/open" })],
  [
    "a repository that is not there",
    404,
    ({ token }) => ({ path: "/api/run?repository=x&id=y", headers: bearer(token) }),
  ],
];

const HEADERS = {
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

test("every request of those who may not ask is refused, and no answer allows more than the page needs", async () => {
  await inWorld({}, (world) =>
    withUi(world, [], async (ui) => {
      for (const [what, status, question] of BAD) {
        const answer = await ui.ask(question(ui)).catch((cause: unknown) => {
          throw new Error(`${what}: no answer`, { cause });
        });
        expect([what, answer.status]).toEqual([what, status]);
        expect(answer.headers).toMatchObject(HEADERS);
        const names = Object.keys(answer.headers);
        expect(names.filter((name) => name === "set-cookie" || name.startsWith("access-control-"))).toEqual([]);
        expect(answer.body).not.toContain(ui.token);
      }
      const page = await ui.ask({ path: "/" });
      expect(page.status).toBe(200);
      expect(page.headers["content-security-policy"]).toMatch(/^default-src 'none'; .*script-src 'sha256-[^;]+; /);
      expect(page.headers["content-security-policy"]).not.toContain("unsafe");
      expect(page.body).not.toContain(ui.token);
      const own = { "Sec-Fetch-Site": "same-origin", Origin: `http://127.0.0.1:${ui.port}` };
      const unknown = await ui.askAsOwner({ path: "/api/run?repository=x&id=y", headers: own });
      expect(unknown.status).toBe(404);
    }),
  );
});

test("two hosts in one request are one too many", async () => {
  await inWorld({}, (world) =>
    withUi(world, [], async ({ port, token }) => {
      const socket = connect(port, "127.0.0.1").setTimeout(60_000, () => socket.destroy());
      const lines = ["GET /api/stream HTTP/1.1", `Host: 127.0.0.1:${port}`, "Host: evil.example"];
      socket.write(`${[...lines, `Authorization: Bearer ${token}`, "Connection: close"].join("\r\n")}\r\n\r\n`);
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 4(00|21) /);
    }),
  );
});

test("it is no proxy", async () => {
  await inWorld({}, (world) =>
    withUi(world, [], async ({ port }) => {
      const socket = connect(port, "127.0.0.1").setTimeout(60_000, () => socket.destroy());
      socket.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
      expect(await text(socket)).not.toMatch(/^HTTP\/1\.1 2/);
    }),
  );
});

test("no other address of this machine listens", async () => {
  const addresses = Object.values(networkInterfaces()).flatMap((found) => (found ?? []).map(({ address }) => address));
  const others = [...new Set([...addresses, "::1", "127.0.0.2"])].filter((address) => address !== "127.0.0.1");
  await inWorld({}, (world) =>
    withUi(world, [], async ({ port }) => {
      for (const host of others) {
        const end = await new Promise<string>((resolve) => {
          const socket = connect({ port, host: host.split("%")[0] ?? host });
          socket.once("connect", () => resolve("connected")).once("error", () => resolve("refused"));
        });
        expect([host, end]).toEqual([host, "refused"]);
      }
    }),
  );
});

/** Asks with the token, as another user of this machine. */
const ASK = `fetch(process.argv[1], { headers: { Authorization: "Bearer " + process.argv[2] } })
  .then((answer) => { console.log(answer.status); process.exit(0); });`;

test.skipIf(process.getuid?.() !== 0 || process.platform !== "linux")(
  "another user of this machine is refused, even with the token",
  async () => {
    await inWorld({}, (world) =>
      withUi(world, [], async ({ port, token }) => {
        const url = `http://127.0.0.1:${port}/api/run?repository=x&id=y`;
        const asUser = async (uid: number): Promise<string> => {
          const options = { uid, gid: uid, cwd: "/", env: {}, timeout: 60_000 };
          return (await promisify(execFile)(process.execPath, ["-e", ASK, url, token], options)).stdout.trim();
        };
        expect(await asUser(65_534)).toBe("403");
        expect(await asUser(0)).toBe("404");
      }),
    );
  },
);

/** Sends a request, and is gone before anybody can ask who it was. */
const SEND_AND_LEAVE = `const [port, request] = process.argv.slice(1);
  const socket = require("node:net").connect(Number(port), "127.0.0.1", () => socket.write(request, () => process.exit(0)));`;

test.skipIf(process.getuid?.() !== 0 || process.platform !== "linux")(
  "another user of this machine decides nothing, even with the token and gone at once",
  async () => {
    await inWorld({ program: `echo 'export const answer = 42;' > src/main.ts\n${LEAVE_RESULT}` }, async (world) => {
      await world.relais(["run", "--task", join(world.box, "task.json")]);
      await withUi(world, [], async (ui) => {
        const known = (await readStream(ui)).find((line) => line.kind === "ticks");
        const run = known?.rows[0]?.runId;
        const body = JSON.stringify({ repository: known?.repository, action: "accept", run, text: null });
        const head = ["POST /api/act HTTP/1.1", `Host: 127.0.0.1:${ui.port}`, `Authorization: Bearer ${ui.token}`];
        const rest = ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`, "", body];
        const args = ["-e", SEND_AND_LEAVE, String(ui.port), [...head, ...rest].join("\r\n")];
        const options = { uid: 65_534, gid: 65_534, cwd: "/", env: {}, timeout: 60_000 };
        for (let time = 0; time < 5; time += 1) await promisify(execFile)(process.execPath, args, options);
        const headers = { "Content-Type": "application/json" };
        const own = await ui.askAsOwner({ path: "/api/act", method: "POST", headers, body });
        // Nobody has accepted it before.
        expect(JSON.parse(own.body)).toMatchObject({ isDone: true });
      });
    });
  },
);

test("a request that never ends is ended by the server", async () => {
  await inWorld({}, (world) =>
    withUi(world, [], async ({ port, token }) => {
      const head = [`Host: 127.0.0.1:${port}`, `Authorization: Bearer ${token}`, "Content-Type: application/json"];
      const halves = [
        "GET / HT",
        `POST /api/act HTTP/1.1\r\n${head.join("\r\n")}\r\nContent-Length: 1000\r\n\r\n{`,
      ].map(async (half) => {
        const socket = connect(port, "127.0.0.1").setTimeout(60_000, () => socket.destroy());
        socket.write(half);
        return text(socket);
      });
      expect((await Promise.all(halves)).map((said) => said.slice(0, 12))).toEqual(["HTTP/1.1 408", "HTTP/1.1 408"]);
    }),
  );
});

test("more connections than a browser needs are closed, and the page stays", async () => {
  await inWorld({}, (world) =>
    withUi(world, [], async ({ port, ask }) => {
      const seen = { closed: 0, answered: 0 };
      const sockets = Array.from({ length: 80 }, () =>
        connect(port, "127.0.0.1")
          .on("error", () => {})
          .on("data", () => (seen.answered += 1))
          .on("close", () => (seen.closed += 1)),
      );
      // A connection within the cap hears that its request never came; one beyond it hears nothing.
      while (seen.closed < 80) await delay(20);
      expect(seen.answered).toBeLessThanOrEqual(64);
      for (const socket of sockets) socket.destroy();
      expect((await ask({ path: "/" })).status).toBe(200);
    }),
  );
});
