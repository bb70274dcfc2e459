import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Entry } from "../../src/base/manifest.ts";
import { loadObservation, saveObservation } from "../../src/store/observation-file.ts";
import { damaged } from "../../test/support/arbitrary-bytes.ts";
import { fuzz } from "../../test/support/fuzz.ts";
import { PROPERTY_TIMEOUT_MS } from "../../test/support/runs.ts";
import { scratchFolder } from "../../test/support/scratch-repository.ts";

const HASH_BYTES = 65;
const file: Entry = {
  type: "file",
  mode: 0o644,
  size: 3,
  owner: "0:0",
  hardLinks: 1,
  stamp: "1:2:3",
  id: "a".repeat(40),
  target: null,
  forced: false,
};
const link: Entry = { ...file, type: "symlink", id: null, target: "a\tb\n" };

/** An observation with the right hash: a program that can write the file can do that as well. */
async function checkObservation(body: Buffer, path: string): Promise<void> {
  writeFileSync(path, Buffer.concat([body, Buffer.from(`${createHash("sha256").update(body).digest("hex")}\n`)]));
  const read = loadObservation(path);
  if (read === null) return;
  const lines = body.toString("latin1").split("\n").length - 2;
  assert.equal(read.observation.worktree.size + read.observation.git.size, lines);
  await saveObservation(path, read);
  const again = loadObservation(path);
  assert.deepEqual(again, { ...read, sha256: again?.sha256 });
}

test(
  "what is taken for an observation is one, and survives being written again",
  async () => {
    const path = join(scratchFolder(), "observation");
    const worktree = new Map([
      ["", { ...file, type: "directory" as const }],
      ["src/\xc3\xa9\n", file],
      ["link", link],
    ]);
    const observation = { takenAt: 1_700_000_000_000, worktree, git: new Map([["HEAD", file]]) };
    await saveObservation(path, { observation, signature: "a signature" });
    const body = readFileSync(path).subarray(0, -HASH_BYTES);
    const check = (data: Buffer) => checkObservation(data, path);
    expect(await fuzz({ parser: "observation-file", bytes: damaged([body]), runs: 150, check })).toBeNull();
  },
  PROPERTY_TIMEOUT_MS,
);
