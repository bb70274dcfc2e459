import { expect, test } from "vitest";
import { makeWeakening } from "../../../src/judge/pure/changed-file.ts";
import type { Kind } from "../../../src/judge/pure/kinds.ts";
import { noteSparse } from "../../../src/judge/pure/note-sparse.ts";

const write = (count: number): string => Array.from({ length: count }, (_, line) => `line(${line});`).join("\n");
const create = (path: string, lines: number) => ({ path, before: null, after: write(lines) });
const find = (path: string, kind: Kind) => [path, makeWeakening(kind, { text: "x\n" }, 0)] as const;
const listHeld = (...about: Parameters<typeof noteSparse>): readonly string[] =>
  noteSparse(...about).flatMap(([path, { kind, default: level }]) => (level === "hold" ? [`${path}: ${kind}`] : []));

test("one suspicion holds a small change, and is a note in a large one", () => {
  const found = [find("a.test.js", "skipped_test")];
  expect(listHeld(found, [create("a.test.js", 150)])).toEqual(["a.test.js: skipped_test"]);
  expect(listHeld(found, [create("a.test.js", 150), create("src/a.js", 150)])).toEqual([]);
  expect(listHeld([...found, ...found], [create("a.test.js", 300)])).toHaveLength(2);
  expect(listHeld([...found, find("a.js", "asks_for_runner")], [create("a.test.js", 300)])).toEqual([]);
});

test("lines that are gone count, and lines that stood before do not", () => {
  const found = [find("a.test.js", "deleted_test")];
  expect(listHeld(found, [{ path: "src/a.js", before: write(300), after: null }])).toEqual([]);
  expect(listHeld(found, [{ path: "src/a.js", before: write(300), after: `${write(300)}\nmore();` }])).toHaveLength(1);
});

test("no lockfile, data or copied code hides a skipped test", () => {
  const other = [create("package-lock.json", 900), create("data/table.json", 900), create("vendor/lib.js", 900)];
  expect(listHeld([find("a.test.js", "skipped_test")], [create("a.test.js", 20), ...other])).toHaveLength(1);
  expect(listHeld([find("package-lock.json", "install_script")], other)).toEqual([]);
});

test("evidence, answers to tests and work without effect stay as they are", () => {
  const found = [
    find("a.py", "shadowed_module"),
    find("a.py", "test_literals"),
    find("a.py", "tests_only"),
    find("a.py", "exit_hook"),
  ];
  expect(noteSparse(found, [create("a.py", 5000)])).toEqual(found);
});
