/** The house keeps its measures: see `npm run measure`. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { type Tree, countWritten, measureTree } from "../scripts/house-measures.ts";
import { readWorkingTree } from "../scripts/measure-house.ts";

const house = measureTree(readWorkingTree());

test("the sources are few enough to be read", () => {
  expect(house.files).toBeGreaterThan(100);
  expect(house.files).toBeLessThanOrEqual(1040);
  expect(house.folders).toBeLessThanOrEqual(45);
  // What has one user beside it belongs into that user.
  expect(house.smallFiles).toBeLessThan(80);
});

test("the rooms stand on each other without a cycle, and what is pure stays so", () => {
  expect(house.roomEdges).toBeGreaterThan(100);
  expect(house.roomCycles).toEqual([]);
  expect(house.purityViolations).toEqual([]);
  expect(house.levels).toBeLessThanOrEqual(16);
});

const ROOMS = readdirSync("src", { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

test.each(ROOMS)("the README of %s is short and names files that exist", (room) => {
  const text = readFileSync(`src/${room}/README.md`, "utf8");
  expect(text.startsWith(`# ${room}\n`)).toBe(true);
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(10);
  const named = [...text.matchAll(/`([\w/-]+\.tsx?)`/gu)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(1);
  expect(named.filter((name) => !existsSync(`src/${room}/${name}`))).toEqual([]);
});

/** A little house: `top` uses `middle/pure`, which uses `base`. */
const SMALL: Tree = new Map([
  [
    "src/top/roof.ts",
    'import { door } from "../middle/pure/door.ts";\nexport const roof = () => import("./attic.ts");\n',
  ],
  ["src/top/attic.ts", "// A line.\n".repeat(20)],
  ["src/middle/pure/door.ts", 'import type { Wall } from "../../base/wall.ts";\nexport const door = 1;\n'],
  [
    "src/base/wall.ts",
    "export interface Wall {}\ninterface Bag {}\nexport const build = (bag: Bag) => bag;\nconst a: Wall[] = [];\n",
  ],
  ["docs/page.md", "Three words here.\n<!-- rows: made -->\nnot counted\n<!-- /rows -->\n"],
  ["docs/made.md", "Written by a command.\n"],
  [".gitattributes", "docs/made.md linguist-generated\n"],
  ["ARCHITECTURE.md", "# The house\n"],
]);

test("a small house is measured", () => {
  expect(measureTree(SMALL)).toEqual({
    folders: 3,
    files: 4,
    lines: 28,
    smallFiles: 3,
    rooms: 3,
    roomEdges: 2,
    roomCycles: [],
    levels: 3,
    longestChain: 3,
    longestLoadedChain: 2,
    purityViolations: [],
    parameterBags: 1,
    words: 6,
    pages: 2,
    architectureWords: 3,
    contributingWords: 0,
  });
});

test("a cycle between rooms is found, of types too, and so is a pure room that acts", () => {
  const wall = 'import type { roof } from "../top/roof.ts";\nimport { readFileSync } from "node:fs";\n';
  const broken = measureTree(new Map([...SMALL, ["src/base/wall.ts", wall]]));
  expect(broken.roomCycles).toEqual(["base middle/pure top"]);
  expect(broken.purityViolations).toEqual(["src/base/wall.ts -> src/top/roof.ts", "src/base/wall.ts -> node:fs"]);
});

test("words are counted as `wc -w` does", () => {
  expect(countWritten("One  two\n- three\n")).toBe(4);
});
