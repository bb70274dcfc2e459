import assert from "node:assert/strict";
import { statSync } from "node:fs";
import type { FuzzTarget } from "../target.ts";
import { generateValue } from "../generate-value.ts";
import type { Random } from "../../../scripts/random.ts";
import { JobWish } from "../../../src/page/queue-feed.ts";
import { ActionWish } from "../../../src/page/serve-pages.ts";
import { askRaw, type RawAnswer } from "../pages/ask-raw.ts";
import { type FuzzedPages, openFuzzedPages } from "../pages/fuzzed-pages.ts";

const PATHS = [
  ["/", "/api/stream", "/api/act", "/api/job", "/api/open", "/api/run", "/api/diff", "/api/series", "/api/transcript"],
  [
    "/./api/run",
    "//x/api/run",
    "/\\x/api/run",
    "/%61pi/run",
    "/api//run",
    "/api/run/..",
    "//",
    "*",
    "http://x/api/run",
  ],
].flat();
const QUERIES = [
  "",
  "?repository=REPO&id=RUN",
  "?repository=REPO&id=",
  "?id=RUN",
  "?token=TOKEN",
  "?repository=x%zz",
  "#a",
];
const HEADERS = [
  ["Authorization: Bearer TOKEN", "Authorization: Bearer KEY", "Authorization: Bearer", "authorization: bearer TOKEN"],
  ["Origin: http://127.0.0.1:PORT", "Origin: null", "Origin: https://evil.example", "Sec-Fetch-Site: same-origin"],
  ["Sec-Fetch-Site: cross-site", "Host: evil.example", "Host: localhost:PORT", "Content-Type: application/json"],
  ["Content-Type: text/plain", "Transfer-Encoding: chunked", "Expect: 100-continue", "Upgrade: websocket"],
  ["Connection: close", "Connection: Upgrade", "Content-Length: 3", "X: \u0001", "Cookie: token=TOKEN"],
].flat();

/** What relais answers, and what Node answers to what is no request. */
const STATUSES = [200, 400, 401, 403, 404, 405, 408, 409, 413, 415, 417, 421, 431];

let opened: Promise<FuzzedPages> | null = null;

/** Requests to `relais ui` on a real socket: a real tick, a real token, and everything that a local program may send. */
export const pageRequests: FuzzTarget = {
  name: "page-requests",
  seeds: () =>
    [
      writeRequest("GET /", ["Host: 127.0.0.1:PORT"], ""),
      writeRequest("GET /api/run?repository=REPO&id=RUN", OWN, ""),
      writeRequest("POST /api/open", ["Host: 127.0.0.1:PORT", "Authorization: Bearer KEY", JSON_TYPE], "{}"),
      writeRequest("POST /api/act", [...OWN, JSON_TYPE], JSON.stringify(UNDO)),
    ].map((text) => Buffer.from(text)),
  words: [...PATHS, ...QUERIES, ...HEADERS, "\r\n\r\n", "0\r\n\r\n", "HTTP/1.0", "REPO", "RUN", "TOKEN", "PORT"],
  generate,
  check: async (data) => {
    opened ??= openFuzzedPages();
    const pages = await opened;
    const request = Buffer.from(pages.fill(data.toString("latin1")), "latin1");
    const before = statSync(pages.journal).size;
    const answers = await askRaw({ port: pages.port, host: "127.0.0.1" }, request);
    checkAnswers(request.toString("latin1"), answers, pages);
    if (!request.includes(pages.token)) assert.equal(statSync(pages.journal).size, before, "changed without a token");
  },
  close: async () => {
    await (await opened)?.close();
    opened = null;
  },
};

const JSON_TYPE = "Content-Type: application/json";
const OWN = ["Host: 127.0.0.1:PORT", "Authorization: Bearer TOKEN"];
const UNDO = { repository: "REPO", action: "undo", run: "RUN", text: null };

function writeRequest(line: string, headers: readonly string[], body: string): string {
  const length = body === "" ? [] : ["Content-Length: LENGTH"];
  return `${[`${line} HTTP/1.1`, ...headers, ...length].join("\r\n")}\r\n\r\n${body}`;
}

function generate(random: Random): Buffer {
  const isPost = random.below(2) === 0;
  const method = random.below(12) === 0 ? "PUT" : isPost ? "POST" : "GET";
  const wish = random.below(2) === 0 ? ActionWish : JobWish;
  const value = JSON.stringify(generateValue(wish, random));
  const body = isPost ? value.replace(/"repository":"[^"]*"/u, '"repository":"REPO"') : "";
  const headers = Array.from({ length: random.below(4) }, () => random.pick(HEADERS) ?? "");
  const usual = random.below(4) === 0 ? [] : OWN;
  const type = isPost && random.below(4) > 0 ? [JSON_TYPE] : [];
  const target = `${method} ${random.pick(PATHS) ?? "/"}${random.pick(QUERIES) ?? ""}`;
  return Buffer.from(writeRequest(target, [...usual, ...type, ...headers], body));
}

/** Whoever gets a document has sent the token, and nobody is told a secret without its key. */
function checkAnswers(request: string, answers: readonly RawAnswer[], { token, key }: FuzzedPages): void {
  const carried = request.split(`Bearer ${token}`).length - 1;
  const documents = answers.filter(({ status, head }) => status === 200 && !/content-type: text\/html/iu.test(head));
  const opens = documents.filter(({ body }) => body.includes(token));
  assert(opens.length === 0 || request.includes(`Bearer ${key}`), "the token was told without the key");
  assert(documents.length - opens.length <= carried, `${documents.length} documents for ${carried} tokens`);
  for (const { status, head } of answers) {
    assert(STATUSES.includes(status), `the status ${status}`);
    if (status === 200) assert(/content-security-policy: default-src 'none'/iu.test(head), "a page without its policy");
    assert(!/access-control-|set-cookie/iu.test(head), "an answer that opens it to others");
  }
}
