import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FuzzTarget } from "../target.ts";
import type { Random } from "../../../scripts/random.ts";
import {
  findAllowed,
  nameHost,
  parseAllowedHost,
  parseAskedHost,
  writeTarget,
} from "../../../src/sandbox/allowed-hosts.ts";
import { type ConnectProxy, findUpstream, startConnectProxy } from "../../../src/sandbox/connect-proxy.ts";
import { askRaw } from "../pages/ask-raw.ts";

const HOSTS = [
  "a.example",
  "*.b.example",
  "x.b.example",
  "B.EXAMPLE.",
  "[::1]",
  "127.0.0.1",
  "a.example.",
  "é.example",
];
const PORTS = ["", ":443", ":80", ":0", ":99999", ":443:1", ":"];
const LINES = [
  "host: a.example:443",
  "proxy-connection: keep-alive",
  "content-length: 3",
  "transfer-encoding: chunked",
];
/** None of them leads out of this machine: the allowed ones are names that no resolver knows, at a port that is closed. */
const ALLOWED = ["a.invalid:1", "*.b.invalid:1", "http://127.0.0.1:1/"].flatMap((text) => parseAllowedHost(text) ?? []);

let opened: Promise<{ readonly proxy: ConnectProxy; readonly path: string; readonly folder: string }> | null = null;

/** The list of allowed hosts, and what a program in the sandbox sends to the one way out. */
export const sandboxHosts: FuzzTarget = {
  name: "sandbox-hosts",
  seeds: () =>
    [
      "CONNECT a.example:443 HTTP/1.1\r\nhost: a.example:443\r\n\r\n",
      "CONNECT 127.0.0.1:1 HTTP/1.1\r\nhost: 127.0.0.1:1\r\n\r\nearly",
      "GET http://127.0.0.1:1/x HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n",
      "http://user:pass%20word@proxy.example:8080",
      "*.b.example:8443",
    ].map((text) => Buffer.from(text)),
  words: [...HOSTS, ...PORTS, ...LINES, "CONNECT ", "http://", "https://", "*.", "@", "%zz", "\r\n\r\n", "HTTP/1.0"],
  generate,
  check: async (data) => {
    const text = data.toString("utf8");
    const line = text.split("\n")[0]?.trim() ?? "";
    checkHost(line);
    checkUpstream(line);
    opened ??= open();
    const { path } = await opened;
    for (const { status } of await askRaw({ path }, data))
      assert([400, 403, 408, 417, 431, 502].includes(status), `the status ${status}`);
  },
  close: async () => {
    const { proxy, folder } = (await opened) ?? {};
    await proxy?.close();
    if (folder !== undefined && existsSync(folder)) rmSync(folder, { recursive: true });
    opened = null;
  },
};

function generate(random: Random): Buffer {
  const host = `${random.pick(HOSTS)}${random.pick(PORTS)}`;
  const headers = Array.from({ length: random.below(3) }, () => `${random.pick(LINES)}\r\n`).join("");
  const line = random.pick([`CONNECT ${host}`, `GET http://${host}/`, `POST http://${host}`, `GET /${host}`]);
  return Buffer.from(random.below(3) === 0 ? host : `${line} HTTP/1.1\r\n${headers}\r\nabc`);
}

/** An entry allows what it says: the name itself, or what is below it, at its port. */
function checkHost(text: string): void {
  const asked = parseAskedHost(text);
  if (asked !== null) {
    const again = parseAskedHost(writeTarget(asked));
    if (again !== null) assert.deepEqual(again, asked, "another host when it is written");
    assert(!/[\s/]/u.test(nameHost(asked)), "a name that is none");
  }
  const entry = parseAllowedHost(text);
  for (const host of [asked, entry])
    assert(host === null || (host.host !== "" && host.port > 0 && host.port <= 65_535), "a host that there is not");
  if (entry === null) return;
  const below = { host: `x${entry.host.replace(/^\*/u, "")}`, port: entry.port };
  const isBelow = entry.host.startsWith("*.");
  assert.equal(findAllowed(below, [entry]) !== null, isBelow, `${below.host} by ${entry.host}`);
  assert.equal(findAllowed({ ...below, port: entry.port + 1 }, [entry]), null, "another port");
  assert.equal(findAllowed({ host: `evil${entry.host.slice(1)}.evil`, port: entry.port }, [entry]), null);
}

/** Only a proxy of this form, and no text of the variables makes it crash. */
function checkUpstream(text: string): void {
  for (const environment of [{ HTTPS_PROXY: text }, { ALL_PROXY: "http://p:1", NO_PROXY: text }]) {
    const found = findUpstream(environment, { host: "a.example", port: 443 });
    if (found === null) continue;
    assert(found.host !== "" && Number.isInteger(found.port));
    assert(!/[\r\n]/u.test(found.authorization ?? ""), "a login that would be two headers");
  }
}

async function open() {
  const folder = mkdtempSync(join(tmpdir(), "relais-fuzz-"));
  const path = join(folder, "proxy");
  const proxy = await startConnectProxy(path, ALLOWED, {});
  return { proxy, path, folder };
}
