/** The writer of an input must not decide how long everybody waits: a million of whatever it repeats is read in a moment. */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import * as v from "valibot";
import { expect, test } from "vitest";
import { Config } from "../../src/config/config.ts";
import { parseWith } from "../../src/base/schema-error.ts";
import { readRefs } from "../../src/evidence/pure/refs.ts";
import { readBuilderResult } from "../../src/workflows/pure/workflow.ts";
import { readIndexFile } from "../../src/store/git-index.ts";
import { isTorn } from "../../src/journal/journal-text.ts";
import { parsePs } from "../../src/process/process-table.ts";
import { relais } from "../../test/support/relais.ts";
import { scratchFolder } from "../../test/support/scratch-repository.ts";

/** What grows with the square would need hours. */
const MOMENT_MS = 60_000;

/** Also ends an expression that looks back and forth. */
function endsSoon(work: () => unknown): boolean {
  runInNewContext("work()", { work }, { timeout: MOMENT_MS });
  return true;
}

const Lists = v.strictObject({ steps: v.array(v.strictObject({ a: v.string() })) });

/** An index of version 4 in which each name adds one letter to the one before. */
function growingIndex(entries: number): Buffer {
  const header = Buffer.alloc(12);
  header.write("DIRC");
  header.writeUInt32BE(4, 4);
  header.writeUInt32BE(entries, 8);
  const parts = Array.from({ length: entries }, (_, at) => {
    const entry = Buffer.alloc(62 + 3);
    entry.writeUInt16BE(Math.min(at + 1, 0xfff), 60);
    entry.write("x", 63);
    return entry;
  });
  const body = Buffer.concat([header, ...parts]);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

const readOrRefused = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    return error;
  }
};

const MANY = 1_000_000;

const CASES: Readonly<Record<string, () => () => unknown>> = {
  "lists where objects belong": () => {
    const value = { steps: Array.from({ length: MANY / 4 }, () => []) };
    return () => parseWith(Lists, value);
  },
  "unknown keys": () => {
    const value = Object.fromEntries(Array.from({ length: MANY / 50 }, (_, at) => [`key_${at}`, at]));
    return () => parseWith(Config, value);
  },
  "many spaces": () => {
    const text = Buffer.from(`{${" ".repeat(MANY)}x`);
    return () => readBuilderResult(text);
  },
  "an index whose names grow": () => {
    const index = growingIndex(MANY / 10);
    return () => readOrRefused(() => readIndexFile(index));
  },
  "hashes that begin again and again": () => {
    const text = Buffer.from(',"sha256":"aaaa'.repeat(MANY));
    return () => isTorn(text);
  },
  "a line of numbers for ps": () => {
    const text = "1 ".repeat(MANY);
    return () => parsePs(text);
  },
  "spaces in packed-refs": () => {
    const text = `${"a".repeat(40)} ${" ".repeat(MANY)}`;
    return () => readRefs(text, [["x", text]]);
  },
};

test.each(Object.entries(CASES))("%s end soon", (_, prepare) => {
  expect(endsSoon(prepare())).toBe(true);
});

test(
  "newlines in a .git file end soon",
  async () => {
    const root = scratchFolder();
    writeFileSync(join(root, ".git"), `gitdir: ${"\n".repeat(MANY)}x`);
    expect((await relais(["status"], { cwd: root })).status).not.toBeNull();
  },
  MOMENT_MS,
);
