/** Objects that are read and written without git are what git reads and writes. */
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { storeTree } from "../../src/store/remove-strays.ts";
import { UNSAFE } from "../../src/system/redo-log.ts";
import { isPlainCommit, openObjectReader, writeObject } from "../../src/git/object-files.ts";
import { readHead } from "../../src/git/head.ts";
import { findRepository } from "../../src/git/repository-layout.ts";
import { computeBlobId } from "../../src/system/hash-file.ts";
import { scratchRepository } from "../support/scratch-repository.ts";

const CONTENTS = [
  Buffer.alloc(0),
  Buffer.from("text\n"),
  Buffer.alloc(300_000, "line of text\n"),
  Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 7919) % 251)),
];

test("git reads what is written here, trees with odd names included", () => {
  const { root, git } = scratchRepository({ a: "a\n" });
  const place = { gitDir: join(root, ".git"), redo: UNSAFE };
  const ids = CONTENTS.map((content) => writeObject(place, "blob", content));
  for (const [index, id] of ids.entries()) expect(git("cat-file", "-s", id)).toBe(`${CONTENTS[index]?.length}`);
  const names = ["b", "b.c", "b/x", "b0", "\u00c3\u00a4/\u00ff", "with space", "new\nline"];
  const paths = names.filter((name) => name !== "b").map((path) => ({ path, mode: "100644", id: ids[1] ?? "" }));
  const tree = storeTree(place, paths);
  expect(git("fsck", "--strict", "--no-dangling")).toBe("");
  expect(git("ls-tree", "-r", "-z", "--name-only", tree).split("\0").filter(Boolean)).toHaveLength(paths.length);
});

test("loose and packed blobs are read, and nothing damaged is", () => {
  const { root, git } = scratchRepository({ a: "a\n" });
  const gitDir = join(root, ".git");
  for (const [index, content] of CONTENTS.entries()) writeFileSync(join(root, `f${index}`), content);
  git("add", "--all");
  git("commit", "-q", "-m", "all");
  const read = (content: Buffer): Buffer | null => {
    const reader = openObjectReader(gitDir);
    const found = reader.read(computeBlobId(content), { type: "blob", size: content.length, sizeMax: content.length });
    expect(reader.has(computeBlobId(content))).toBe(found !== null);
    reader.close();
    return found;
  };
  const commit = git("rev-parse", "HEAD");
  expect(CONTENTS.map(read)).toEqual(CONTENTS);
  expect(isPlainCommit(gitDir, commit)).toBe(true);
  git("repack", "-q", "-a", "-d", "--window=0");
  expect(CONTENTS.map(read)).toEqual(CONTENTS);
  expect(isPlainCommit(gitDir, commit)).toBe(true);
  expect(isPlainCommit(gitDir, computeBlobId(Buffer.from("text\n")))).toBe(false);
  const loose = join(gitDir, "objects", computeBlobId(Buffer.from("lost\n")).slice(0, 2));
  mkdirSync(loose, { recursive: true });
  writeFileSync(join(loose, computeBlobId(Buffer.from("lost\n")).slice(2)), "");
  expect(read(Buffer.from("lost\n"))).toBeNull();
  const pack = join(gitDir, "objects/pack");
  for (const name of readdirSync(pack).filter((one) => one.endsWith(".pack"))) {
    chmodSync(join(pack, name), 0o600);
    writeFileSync(join(pack, name), Buffer.alloc(400_000));
  }
  const reader = openObjectReader(gitDir);
  expect(
    CONTENTS.map((content) =>
      reader.read(computeBlobId(content), { type: "blob", size: content.length, sizeMax: content.length }),
    ),
  ).toEqual(CONTENTS.map(() => null));
  reader.close();
});

test("an object that is damaged in a pack is found where it is whole, in any order", () => {
  const { root, git } = scratchRepository({ a: "a\n" });
  const gitDir = join(root, ".git");
  const content = Buffer.from("a\n");
  const id = computeBlobId(content);
  git("repack", "-q", "-a");
  const pack = join(gitDir, "objects/pack");
  for (const name of readdirSync(pack).filter((one) => one.endsWith(".pack"))) {
    chmodSync(join(pack, name), 0o600);
    writeFileSync(join(pack, name), Buffer.alloc(4000));
  }
  for (const order of ["loose first", "packed first"] as const) {
    const reader = openObjectReader(gitDir, order);
    expect(reader.read(id, { type: "blob", size: null, sizeMax: 100 })).toEqual(content);
    reader.close();
  }
});

test("HEAD is what git says: loose, packed, detached, deep, unborn and broken", async () => {
  const { root, git } = scratchRepository({ a: "a\n" });
  const head = async () => {
    const repository = await findRepository(root, process.env);
    if (repository.kind !== "repository") throw new Error("no repository");
    return (await readHead(repository)).commit;
  };
  const commit = git("rev-parse", "HEAD");
  expect(await head()).toBe(commit);
  git("checkout", "-q", "-b", "deep/er.name_1");
  git("commit", "-q", "--allow-empty", "-m", "two");
  const second = git("rev-parse", "HEAD");
  expect(await head()).toBe(second);
  git("pack-refs", "--all");
  git("repack", "-q", "-a", "-d");
  expect(await head()).toBe(second);
  git("checkout", "-q", "--detach", commit);
  expect(await head()).toBe(commit);
  git("symbolic-ref", "refs/heads/link", "refs/heads/deep/er.name_1");
  git("symbolic-ref", "HEAD", "refs/heads/link");
  expect(await head()).toBe(second);
  git("symbolic-ref", "HEAD", "refs/heads/unborn");
  expect(await head()).toBeNull();
  writeFileSync(join(root, ".git/refs/heads/unborn"), `${"1".repeat(40)}\n`);
  await expect(head()).rejects.toThrow(/leads to no commit/);
  rmSync(join(root, ".git/refs/heads/unborn"));
});

test("objects that git packed as differences are read like all others", () => {
  const { root, git } = scratchRepository({});
  const lines = Array.from({ length: 400 }, (_, at) => `line ${at} ${"x".repeat(at % 40)}\n`);
  for (const round of [0, 1, 2, 3, 4, 5]) {
    const text = lines.map((line, at) => (at % 7 === round ? `round ${round} ${line}` : line)).join("");
    writeFileSync(join(root, "long"), text);
    mkdirSync(join(root, "many"), { recursive: true });
    for (let at = 0; at < 60; at += 1) writeFileSync(join(root, `many/${at}`), `${at % 6 === round ? round : at}\n`);
    git("add", "--all");
    git("commit", "-q", "-m", `round ${round}`);
  }
  git("repack", "-q", "-a", "-d", "-f", "--depth=50");
  const listed = git("cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype) %(deltabase)");
  const objects = listed.split("\n").map((line) => line.split(" "));
  expect(objects.filter(([, type, base]) => type === "tree" && !/^0+$/.test(base ?? "")).length).toBeGreaterThan(3);
  const reader = openObjectReader(join(root, ".git"));
  for (const [id = "", type] of objects) {
    if (type !== "blob" && type !== "tree" && type !== "commit") throw new Error(`a ${type}`);
    // What is read is checked against its id.
    expect(reader.read(id, { type, size: null, sizeMax: 100_000 })).not.toBeNull();
    expect(reader.read(id, { type, size: null, sizeMax: 1 })).toBeNull();
    expect(reader.read(id, { type: type === "tree" ? "blob" : "tree", size: null, sizeMax: 100_000 })).toBeNull();
  }
  reader.close();
});
