/**
 * Eight times the input may take about eight times as long. What grows with the square takes sixty-four times as long,
 * and the writer of the input decides how long everybody waits. Only ratios are compared, of the time that this process
 * itself has worked in the best of several rounds, so that a busy machine changes little.
 */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { expect, test } from "vitest";
import { Config } from "../../src/contract/config/config.ts";
import { parseWith } from "../../src/contract/schema/schema-error.ts";
import { readRefs } from "../../src/core/observation/refs.ts";
import { readBuilderResult } from "../../src/core/workflow/builder-brief.ts";
import { readIndexFile } from "../../src/io/index/git-index.ts";
import { isTorn } from "../../src/io/journal/journal-text.ts";
import { parsePs } from "../../src/io/process/ps-output.ts";
import { findRepository } from "../../src/io/git/repository-layout.ts";
import { scratchFolder } from "../../test/support/scratch-repository.ts";

const ROUNDS = 5;
const FACTOR = 8;
const RATIO_MAX = 18;

async function best(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(start);
    times.push(Math.max(1, user + system));
  }
  return Math.min(...times);
}

async function ratio<T>(make: (size: number) => T, work: (input: T) => unknown, size: number): Promise<number> {
  const [small, large] = [make(size), make(FACTOR * size)];
  await work(large); // The first call also compiles.
  const smallTime = await best(() => work(small));
  return (await best(() => work(large))) / smallTime;
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

const CASES: readonly (readonly [string, () => Promise<number>])[] = [
  [
    "lists where objects belong",
    () =>
      ratio(
        (size) => ({ steps: Array.from({ length: size }, () => []) }),
        (it) => parseWith(Lists, it),
        1_000,
      ),
  ],
  [
    "unknown keys",
    () =>
      ratio(
        (size) => Object.fromEntries(Array.from({ length: size }, (_, at) => [`key_${at}`, at])),
        (it) => parseWith(Config, it),
        100,
      ),
  ],
  [
    "many spaces",
    () =>
      ratio(
        (size) => Buffer.from(`{${" ".repeat(size)}x`),
        (it) => readBuilderResult(it),
        50_000,
      ),
  ],
  ["an index whose names grow", () => ratio(growingIndex, (it) => readOrRefused(() => readIndexFile(it)), 2_000)],
  [
    "hashes that begin again and again",
    () => ratio((size) => Buffer.from(',"sha256":"aaaa'.repeat(size)), isTorn, 10_000),
  ],
  ["a line of numbers for ps", () => ratio((size) => "1 ".repeat(size), parsePs, 50_000)],
  [
    "spaces in packed-refs",
    () =>
      ratio(
        (size) => `${"a".repeat(40)} ${" ".repeat(size)}`,
        (it) => readRefs(it, [["x", it]]),
        50_000,
      ),
  ],
];

test.each(CASES)("%s take time in proportion", async (_, measure) => {
  expect(await measure()).toBeLessThan(RATIO_MAX);
});

const find = (root: string) => findRepository(root, process.env).catch((error: unknown) => error);

test("newlines in a .git file take time in proportion", async () => {
  const folder = scratchFolder();
  const make = (size: number): string => {
    const root = join(folder, String(size));
    mkdirSync(root);
    writeFileSync(join(root, ".git"), `gitdir: ${"\n".repeat(size)}x`);
    return root;
  };
  expect(await ratio(make, find, 8_000)).toBeLessThan(RATIO_MAX);
});
