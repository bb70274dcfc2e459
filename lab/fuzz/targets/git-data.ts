import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FuzzTarget } from "../target.ts";
import { readRefs, resolveHead } from "../../../src/evidence/pure/refs.ts";
import { readIndexFile } from "../../../src/store/git-index.ts";
import { readTrackedFiles } from "../../../src/store/tracked-files.ts";
import { readJoinedIndex } from "../../../src/store/index-extensions.ts";
import { parseTree } from "../../../src/git/tree-listing.ts";

const ENTRY_BYTES_MIN = 62;

/** Indexes, trees and refs: files of git that a builder can write. */
export const gitData: FuzzTarget = {
  name: "git-data",
  seeds: makeSeeds,
  words: ["link", "TREE", "EOIE", "refs/heads/", "ref: ", "100644 a\0", "40000 d\0"],
  repair: (data) => {
    const body = data.subarray(0, -20);
    return data.subarray(0, 4).toString("latin1") === "DIRC" ? Buffer.concat([body, sha1(body)]) : data;
  },
  check: (data) => {
    for (const read of [() => readIndexFile(data).entries, () => readJoinedIndex(data, () => data)]) {
      const entries = refuseOr(read);
      assert(entries === null || entries.length * ENTRY_BYTES_MIN <= 2 * data.length);
    }
    checkReaders(data);
    const tree = refuseOr(() => parseTree(data, 20, "a tree"));
    assert(tree === null || tree.length * 23 <= data.length);
    const text = data.toString("latin1");
    const refs = readRefs(text, []);
    for (const [, id] of refs) assert.match(id, /^[0-9a-f]{40,64}$/u);
    const { commit } = resolveHead(text, refs);
    assert(commit === null || /^[0-9a-f]{40,64}$/u.test(commit));
  },
};

const list = (files: readonly { readonly path: string; readonly id: string }[]): readonly string[] =>
  files.map(({ path, id }) => `${path} ${id}`).toSorted();

/** The reader of whole entries, and the one that reads blocks of bytes, see the same files. */
function checkReaders(data: Buffer): void {
  const entries = refuseOr(() => readJoinedIndex(data, () => data));
  const tracked = refuseOr(() => [...readTrackedFiles(data, () => data).files()]);
  assert.deepEqual(tracked && list(tracked), entries && list(entries), "two readers of one index disagree");
}

const sha1 = (data: Buffer): Buffer => createHash("sha1").update(data).digest();

/** Only a plain error may be thrown, and no mistake of the code: null stands for it. */
function refuseOr<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    assert(error instanceof Error && !(error instanceof TypeError), String(error));
    return null;
  }
}

function makeSeeds(): readonly Buffer[] {
  const folder = mkdtempSync(join(tmpdir(), "relais-fuzz-"));
  const git = (...argv: readonly string[]): Buffer => execFileSync("git", argv, { cwd: folder });
  git("init", "-q");
  for (const name of ["a", "b b", "é"]) writeFileSync(join(folder, name), name);
  git("add", "--all");
  const tree = git("write-tree").toString("latin1").trim();
  const indexes = ["2", "4"].map((version) => {
    git("update-index", `--index-version=${version}`);
    return readFileSync(join(folder, ".git/index"));
  });
  const treeData = git("cat-file", "tree", tree);
  rmSync(folder, { recursive: true });
  const id = "0123456789abcdef0123456789abcdef01234567";
  return [
    ...indexes,
    treeData,
    Buffer.from(`# pack-refs with: peeled\n${id} refs/heads/main\n^${id}\n`),
    Buffer.from("ref: refs/heads/x\n"),
  ];
}
