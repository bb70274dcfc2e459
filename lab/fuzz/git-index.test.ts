import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type IndexEntry, readIndexFile } from "../../src/store/git-index.ts";
import { readJoinedIndex } from "../../src/store/index-extensions.ts";
import { anyBytes, damaged } from "../../test/support/arbitrary-bytes.ts";
import { fuzz } from "../../test/support/fuzz.ts";
import { PROPERTY_TIMEOUT_MS } from "../../test/support/runs.ts";
import { type Place, place } from "../../test/support/workplace.ts";

const FILES = { "src/a b/é.ts": "x", "src/deep/er/file.ts": "y", [`src/${"d".repeat(200)}/x`]: "z" };
const ENTRY_BYTES_MIN = 62;

/** With the hash made good, so that the damage is met by the parser and not by the check before it. */
function sealed(body: Buffer): Buffer {
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

const bodyOf = (index: string): Buffer => readFileSync(index).subarray(0, -20);

function indexesOf(repo: Place): readonly Buffer[] {
  repo.git("update-index", "--assume-unchanged", "src/a.ts");
  return ["2", "3", "4"].map((version) => {
    repo.git("update-index", `--index-version=${version}`);
    if (version === "3") repo.git("update-index", "--skip-worktree", "src/b.ts");
    return bodyOf(join(repo.root, ".git/index"));
  });
}

/** Only a plain error may be thrown: null stands for it. */
function entriesOf(read: () => readonly IndexEntry[]): readonly IndexEntry[] | null {
  try {
    return read();
  } catch (error) {
    assert(error instanceof Error);
    return null;
  }
}

function checkBounds(data: Buffer, entries: readonly IndexEntry[]): void {
  assert(entries.length * ENTRY_BYTES_MIN <= data.length);
  for (const { path, stage } of entries) assert(path.length <= 4096 && stage <= 3 && !path.includes("\0"));
}

function checkIndex(body: Buffer): void {
  const data = sealed(body);
  const entries = entriesOf(() => readIndexFile(data).entries);
  if (entries !== null) checkBounds(data, entries);
}

test(
  "an index of any content is read within bounds or refused",
  async () => {
    const bodies = indexesOf(place(FILES));
    const bytes = fc.oneof({ weight: 8, arbitrary: damaged(bodies) }, anyBytes);
    expect(await fuzz({ parser: "git-index", bytes, runs: 500, check: checkIndex })).toBeNull();
  },
  PROPERTY_TIMEOUT_MS,
);

/** What git lists; null where it refuses. */
function listedByGit(repo: Place): string | null {
  const { status, stdout } = spawnSync("git", ["ls-files", "--stage", "-z"], { cwd: repo.root });
  return status === 0 ? stdout.toString("latin1") : null;
}

function listed(entries: readonly IndexEntry[]): string {
  return entries.map(({ path, mode, stage }) => `${mode.toString(8).padStart(6, "0")} ${stage}\t${path}\0`).join("");
}

test(
  "where git and we both read an index, we read the same",
  async () => {
    const repo = place(FILES);
    const bodies = indexesOf(repo);
    let both = 0;
    const check = (body: Buffer) => {
      const data = sealed(body);
      writeFileSync(join(repo.root, ".git/index"), data);
      const entries = entriesOf(() => readJoinedIndex(data, () => null));
      const theirs = listedByGit(repo)?.replaceAll(/(?<=^|\0)(\d+) [0-9a-f]+ (?=\d\t)/g, "$1 ");
      if (entries === null || theirs === undefined) return;
      both += 1;
      assert.equal(listed(entries), theirs);
    };
    expect(await fuzz({ parser: "git-index", bytes: damaged(bodies, 1), runs: 60, check })).toBeNull();
    expect(both).toBeGreaterThan(5);
  },
  PROPERTY_TIMEOUT_MS,
);

test(
  "a split index of any content is joined within bounds or refused",
  async () => {
    const repo = place({
      ...FILES,
      ...Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`m/${at}`, "x"])),
    });
    repo.git("config", "splitIndex.maxPercentChange", "100");
    repo.git("update-index", "--split-index");
    repo.git("update-index", "--assume-unchanged", ...Array.from({ length: 70 }, (_, at) => `m/${at}`));
    const index = join(repo.root, ".git/index");
    const shared = repo.git("rev-parse", "--shared-index-path").trim();
    const sharedData = readFileSync(join(repo.root, shared));
    const check = (body: Buffer) => {
      const data = sealed(body);
      const entries = entriesOf(() => readJoinedIndex(data, () => sharedData));
      if (entries !== null) checkBounds(Buffer.concat([data, sharedData]), entries);
    };
    expect(await fuzz({ parser: "git-index", bytes: damaged([bodyOf(index)]), runs: 400, check })).toBeNull();
  },
  PROPERTY_TIMEOUT_MS,
);
