import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compactStore } from "../../src/io/content/compact-store.ts";
import { keepFiles, LARGE_BYTES, openContentStore, readContents } from "../../src/io/content/content-store.ts";
import { walk } from "../../src/io/observe/walk.ts";
import { place } from "../support/workplace.ts";

test("a store that has doubled keeps what is needed and drops the rest", async () => {
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

  expect(await compactStore(store, { liveIds: () => live, bytesMin: 1024 * 1024 * 1024 })).toBe(false);
  expect(await compactStore(store, { liveIds: () => live, bytesMin: 1 })).toBe(true);
  expect(await compactStore(store, { liveIds: () => live, bytesMin: 1 })).toBe(false);

  const size = (path: string): number => manifest.get(path)?.size ?? 0;
  const wanted = ["src/a.ts", "big.bin"].map((path) => ({ id: ids.get(path) ?? "", size: size(path) }));
  const contents = await readContents(store, wanted);
  expect(contents.get(ids.get("src/a.ts") ?? "")?.toString()).toBe("one\ntwo\n");
  expect(readdirSync(store.largeDir)).toEqual([ids.get("big.bin")]);
  expect(readdirSync(join(store.gitDir, "objects")).toSorted()).toEqual(["info", "pack"]);
  const gone = { id: ids.get("src/b.ts") ?? "", size: size("src/b.ts") };
  await expect(readContents(store, [gone])).rejects.toThrow(/missing or damaged/);
});
