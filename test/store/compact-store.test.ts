import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compactStore, hasStoreGrown } from "../../src/store/compact-store.ts";
import { keepFiles, LARGE_BYTES, openContentStore, readContents, storeBlobs } from "../../src/store/content-store.ts";
import { walk } from "../../src/system/walk.ts";
import { place } from "../support/workplace.ts";

test("a compacted store keeps what is needed and drops the rest", async () => {
  const repo = place({ "big.bin": "x".repeat(LARGE_BYTES), "old.bin": "y".repeat(LARGE_BYTES) });
  const store = await openContentStore(repo.state, process.env);
  const { manifest } = walk({
    folder: repo.root,
    earlier: null,
    skipTopLevel: (name) => name === ".git",
    force: false,
  });
  const files = [...manifest]
    .filter(([, entry]) => entry.type === "file")
    .map(([path, entry]) => ({ folder: repo.root, path, entry }));
  const kept = await keepFiles(store, { files, sizeMax: null, force: false });
  const ids = new Map(files.map(({ path }, index) => [path, kept[index]?.id ?? ""]));
  const live = new Set([ids.get("src/a.ts") ?? "", ids.get("big.bin") ?? ""]);

  // An observation may name content that is not there any more.
  expect(await compactStore(store, new Set([...live, "0".repeat(40)]))).toBeGreaterThan(LARGE_BYTES);
  expect(await compactStore(store, live)).toBe(0);

  const size = (path: string): number => manifest.get(path)?.size ?? 0;
  const wanted = ["src/a.ts", "big.bin"].map((path) => ({ id: ids.get(path) ?? "", size: size(path) }));
  const contents = await readContents(store, wanted);
  expect(contents.get(ids.get("src/a.ts") ?? "")?.toString()).toBe("one\ntwo\n");
  expect(readdirSync(store.largeDir)).toEqual([ids.get("big.bin")]);
  expect(readdirSync(join(store.gitDir, "objects")).toSorted()).toEqual(["info", "pack"]);
  const gone = { id: ids.get("src/b.ts") ?? "", size: size("src/b.ts") };
  await expect(readContents(store, [gone])).rejects.toThrow(/missing or damaged/);
});

test("a store without anything that is needed is empty afterwards", async () => {
  const repo = place();
  const store = await openContentStore(repo.state, process.env);
  storeBlobs(store, [Buffer.from("one"), Buffer.from("two")]);
  expect(await compactStore(store, new Set())).toBeGreaterThan(0);
  expect(readdirSync(join(store.gitDir, "objects", "pack"))).toEqual([]);
  expect(readdirSync(join(store.gitDir, "objects")).toSorted()).toEqual(["info", "pack"]);
});

test("a store counts as grown once it takes twice what it took after it was compacted, and some room at all", async () => {
  const repo = place();
  const store = await openContentStore(repo.state, process.env);
  const add = (name: string, mebibytes: number): void =>
    writeFileSync(join(store.largeDir, name), Buffer.alloc(mebibytes * 1024 * 1024, name));
  add("a", 12);
  expect(hasStoreGrown(store)).toBe(false);
  add("b", 12);
  expect(hasStoreGrown(store)).toBe(true);
  await compactStore(store, new Set(["a", "b"]));
  add("c", 12);
  expect(hasStoreGrown(store)).toBe(false);
  add("d", 13);
  expect(hasStoreGrown(store)).toBe(true);
});
