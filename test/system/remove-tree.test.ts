import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removeTree, removeTrees } from "../../src/system/remove-files.ts";
import { scratchFolder } from "../support/scratch-repository.ts";

/** Folders in folders, with so many files in each. */
function fill(folder: string, depth: number, files: number): void {
  mkdirSync(folder);
  for (let file = 0; file < files; file += 1) writeFileSync(join(folder, `f${file}`), "");
  if (depth > 1) fill(join(folder, "deeper"), depth - 1, files);
}

test.each([
  ["a few entries", 3, 5],
  ["many entries", 3, 200],
  ["a deep folder", 60, 1],
])("a tree of %s is removed, and nothing beside it", (_, depth, files) => {
  const box = scratchFolder();
  fill(join(box, "tree"), depth, files);
  writeFileSync(join(box, "kept"), "");
  removeTree(Buffer.from(join(box, "tree")));
  expect(readdirSync(box)).toEqual(["kept"]);
});

test("what a link leads to stays", () => {
  const box = scratchFolder();
  fill(join(box, "elsewhere"), 1, 2);
  mkdirSync(join(box, "tree"));
  symlinkSync(join(box, "elsewhere"), join(box, "tree", "link"));
  symlinkSync(join(box, "elsewhere"), join(box, "link"));
  removeTrees(["tree", "link"].map((name) => Buffer.from(join(box, name))));
  expect([readdirSync(box), readdirSync(join(box, "elsewhere"))]).toEqual([["elsewhere"], ["f0", "f1"]]);
});

test("closed folders and names that are no text are removed, and a missing tree is none", () => {
  const box = scratchFolder();
  const tree = join(box, "tree");
  mkdirSync(join(tree, "closed"), { recursive: true });
  writeFileSync(join(tree, "closed", "file"), "");
  chmodSync(join(tree, "closed"), 0);
  writeFileSync(Buffer.concat([Buffer.from(`${tree}/`), Buffer.from([0x61, 0xff])]), "");
  removeTrees(["tree", "missing"].map((name) => Buffer.from(join(box, name))));
  expect(existsSync(tree)).toBe(false);
});
