import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { holdsNames, recallNames, storeNames } from "../../src/store/store-names.ts";
import { scratchFolder } from "../support/scratch-repository.ts";

/** A folder that changed more recently is listed again. */
const SETTLED_MS = 100;

function makeStore(files: readonly string[]) {
  const gitDir = scratchFolder();
  const largeDir = join(gitDir, "large");
  mkdirSync(largeDir);
  const put = (file: string): void => {
    mkdirSync(join(gitDir, "objects", file, ".."), { recursive: true });
    writeFileSync(join(gitDir, "objects", file), "");
  };
  for (const file of files) put(file);
  const remove = (file: string): void => rmSync(join(gitDir, "objects", file), { recursive: true });
  return { store: { gitDir, largeDir }, put, remove };
}

test("content that was added is no loss, content that is gone is one", () => {
  const { store, put, remove } = makeStore(["ab/1", "ab/2", "cd/3"]);
  const saved = storeNames(store);
  put("ab/4");
  put("ef/5");
  expect(holdsNames(saved, storeNames(store))).toBe(true);
  remove("ab/2");
  expect(holdsNames(saved, storeNames(store))).toBe(false);
});

test("a folder that is gone is a loss, and so is one that was never listed in this way", () => {
  const { store, remove } = makeStore(["ab/1", "cd/3"]);
  const saved = storeNames(store);
  remove("cd");
  expect(holdsNames(saved, storeNames(store))).toBe(false);
  expect(holdsNames(["ab/1", "cd/3"], saved)).toBe(false);
});

test("a name with the signs of a list in it hides no loss", () => {
  const { store, remove } = makeStore(["ab/1: 2", "ab/3"]);
  const saved = storeNames(store);
  expect(holdsNames(saved, storeNames(store))).toBe(true);
  remove("ab/3");
  expect(holdsNames(saved, storeNames(store))).toBe(false);
});

test("a folder that is still the same is taken from the earlier list, a changed one is listed", async () => {
  const { store, put, remove } = makeStore(["ab/1", "cd/3"]);
  await delay(SETTLED_MS);
  const saved = storeNames(store);
  // Nobody else writes such a list: it shows whether the folder itself was read.
  recallNames(
    store,
    saved.map((text) => `${text} recalled`),
  );
  expect(storeNames(store)).toEqual(saved.map((text) => `${text} recalled`));
  put("ab/2");
  remove("cd/3");
  const now = storeNames(store).filter((text) => !text.startsWith("large"));
  expect(now.map((text) => text.split(":").at(-1))).toEqual(["1 2", ""]);
});
