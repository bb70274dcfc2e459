import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderJournalText, readJournalText } from "../../src/journal/journal-text.ts";
import { readJournal } from "../../src/journal/read-journal.ts";
import { damaged, hostileJson } from "../../test/support/arbitrary-bytes.ts";
import { fuzz } from "../../test/support/fuzz.ts";
import { PROPERTY_TIMEOUT_MS } from "../../test/support/runs.ts";
import { journalOf } from "../../test/support/journals.ts";
import { accepts } from "../../test/support/json-schema.ts";
import { scratchFolder } from "../../test/support/scratch-repository.ts";

const SCHEMA: unknown = JSON.parse(readFileSync("schemas/event.schema.json", "utf8"));

/** A journal as it is really written: every line names the hash of the one before. */
function written(): { readonly data: Buffer; readonly lines: readonly unknown[] } {
  let prev: string | null = null;
  const texts: string[] = [];
  const lines: unknown[] = [];
  for (const given of journalOf([{}, { kept: 3 }])) {
    const line = { ...given, prev };
    const { text, sha256 } = renderJournalText(line);
    texts.push(`${text}\n`);
    lines.push(line);
    prev = sha256;
  }
  return { data: Buffer.from(texts.join("")), lines };
}

const JOURNAL = written();

async function checkJournal(data: Buffer, path: string): Promise<void> {
  writeFileSync(path, data);
  const read = await readJournal(path);
  assert.notEqual(read.kind, "missing");
  if (read.kind !== "read") return;
  // Nobody can make up a line by chance, so what is read is the beginning of what was written.
  assert.deepEqual(read.lines, JOURNAL.lines.slice(0, read.lines.length));
  assert(data.subarray(0, read.bytes).equals(JOURNAL.data.subarray(0, read.bytes)));
  assert(data.subarray(read.bytes).equals(read.torn));
}

test(
  "of a damaged journal nothing is read that was not written",
  async () => {
    const path = join(scratchFolder(), "journal.jsonl");
    const check = (data: Buffer) => checkJournal(data, path);
    const whole = await readJournal(writeWhole(path));
    expect(whole.kind === "read" && whole.lines.length).toBe(JOURNAL.lines.length);
    expect(await fuzz({ parser: "journal", bytes: damaged([JOURNAL.data], 2), runs: 250, check })).toBeNull();
  },
  PROPERTY_TIMEOUT_MS,
);

function writeWhole(path: string): string {
  writeFileSync(path, JOURNAL.data);
  return path;
}

/** The keys that every object has anyway; the quick validator passes them over. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

function withoutInherited(value: unknown): unknown {
  const text = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).filter(([key]) => !INHERITED.has(key)))
      : inner,
  );
  return JSON.parse(text);
}

/** What somebody could write who knows how the hash is made. */
function checkForged(body: Buffer): void {
  const seal = createHash("sha256").update(body).digest("hex");
  const text = Buffer.concat([body.subarray(0, -1), Buffer.from(`,"sha256":"${seal}"}`)]);
  const end = { seq: 0, sha256: null };
  const read = readJournalText(text, end);
  if (read.kind !== "line") return;
  const { sha256: _, ...fields }: Record<string, unknown> = JSON.parse(text.toString("utf8"));
  assert.deepEqual(read.line, withoutInherited(fields));
  assert(accepts(SCHEMA, read.line));
  const again = readJournalText(Buffer.from(renderJournalText(read.line).text), end);
  assert(again.kind === "line");
  assert.deepEqual(again.line, JSON.parse(JSON.stringify(read.line)));
}

test(
  "a line with a good hash is still held to the schema",
  async () => {
    const bytes = hostileJson(JOURNAL.lines.slice(0, 3).map((line) => Object.assign({}, line, { seq: 0, prev: null })));
    expect(await fuzz({ parser: "journal", bytes, runs: 400, check: checkForged })).toBeNull();
  },
  PROPERTY_TIMEOUT_MS,
);
