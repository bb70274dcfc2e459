import assert from "node:assert/strict";
import type { FuzzTarget } from "../target.ts";
import { neutraliseText } from "../../../src/base/words.ts";
import { makeSecretSearch, findWholeText } from "../../../src/evidence/pure/secret-tokens.ts";
import { parsePs } from "../../../src/process/process-table.ts";
import { parseProcStat } from "../../../src/process/proc-stat.ts";
import { findOwnerInTable, findRequestRefusal } from "../../../src/system/serve-loopback.ts";
import { measureDisplayWidth, wrapText } from "../../../src/base/wrap-text.ts";
import { neutralise, neutraliseLines } from "../../../src/base/style.ts";
import { makeHarmless } from "../../../src/page/pure/harmless.ts";

const CONTROL = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u;
const SERVER = { port: 4000, secretOf: () => "secret" };
const PS = " 12  1 12 Ss Thu Jan 15 10:00:00 2026 /bin/sh -c x\n";
const STAT = "12 (a) b) S 1 12 12 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4242 1000 10\n";
const TABLE = "  sl  local_address rem_address\n   0: 0100007F:0FA0 0100007F:C350 01 0:0 00:0 0 1000 0 1\n";
const REQUEST =
  "GET /api/x?token=a HTTP/1.1\nHost: 127.0.0.1:4000\nAuthorization: Bearer secret\nOrigin: http://localhost:4000";

/** Texts of others that are shown, searched for secrets, or decide who may ask. */
export const shownTexts: FuzzTarget = {
  name: "shown-texts",
  seeds: () =>
    ["a\u001b[31mb\u202ec\ttab é 你好 👩‍👩‍👧\n", PS, STAT, TABLE, REQUEST, "TOKEN=abcdefghijklmnop1234\n"].map((text) =>
      Buffer.from(text),
    ),
  words: ["\u001b]8;;x\u0007", "\u200d", "\ufe0f", "e\u0301", "Host: a", "sec-fetch-site: cross-site", "//", "/api/"],
  check: (data) => {
    const text = data.toString("utf8");
    for (const shown of [neutraliseText(text), neutralise(text), neutraliseLines(text)])
      assert.doesNotMatch(shown, CONTROL);
    makeHarmless({ text });
    assert(measureDisplayWidth(text.slice(0, 500)) >= 0);
    wrapText(text.slice(0, 2000), 40);
    parsePs(text);
    parseProcStat(text);
    findOwnerInTable(text, { localPort: 4000, remotePort: 50_000 });
    const secrets = [{ path: ".env", content: data, isTracked: false }];
    makeSecretSearch(secrets)(Buffer.from("nothing of it"), null);
    findWholeText(secrets, data, null);
    checkGuard(text);
  },
};

/** Without the right token nothing of `/api/` is answered, however the request is written. */
function checkGuard(text: string): void {
  const [first = "", ...lines] = text.split("\n");
  const [method = "", url = ""] = first.split(" ");
  const pairs = lines.map((line) => line.split(": ", 2)).filter((pair) => pair.length === 2);
  const headers = Object.fromEntries(pairs.map(([name = "", value = ""]) => [name.toLowerCase(), value]));
  const refusal = findRequestRefusal({ method, url, headers, rawHeaders: pairs.flat() }, SERVER);
  if (refusal !== null || !url.startsWith("/api/")) return;
  assert.equal(headers["authorization"], "Bearer secret");
}
