import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { FuzzTarget } from "../target.ts";
import { checkSources } from "../../../src/checks/pure/check-sources.ts";
import { pinManifest } from "../../../src/checks/pure/old-manifest.ts";
import { listRecipeCommands } from "../../../src/checks/pure/recipe-commands.ts";
import { findSetup, listMainPaths } from "../../../src/checks/pure/project-detection.ts";

const NAMES = [
  "package.json",
  "Makefile",
  "justfile",
  "Cargo.toml",
  "pyproject.toml",
  "setup.cfg",
  "tox.ini",
  ".gitignore",
];
const MANIFEST = {
  scripts: { test: "npm run build && vitest", pretest: "tsc", lint: "eslint .", build: "tsc -p ." },
  main: "dist/a.js",
  bin: { a: "bin/a.js" },
  exports: { ".": { import: "./src/a.mjs" } },
  jest: { testMatch: ["**/*.test.js"] },
};
const SEEDS = [
  JSON.stringify(MANIFEST),
  '{"include":["src"],"files":["a.ts"],"compilerOptions":{"strict":true}}',
  "test: build\n\tgo test ./...\n.PHONY: test\nbuild:\n\tmake -C sub all\n",
  "test *args:\n  cargo test\nset shell := ['sh']\n@lint:\n  ruff check\n",
  '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n[tool.ruff]\n[tox]\nenvlist = py\n',
  "/dist/\nbuild\n!keep\n",
];

/** Files of the project from which checks are found: builders write them, and a check is a command that is run. */
export const projectFiles: FuzzTarget = {
  name: "project-files",
  seeds: () => [...SEEDS.map((text) => Buffer.from(text)), readFileSync("package.json")],
  words: ['"scripts":{', '"test":', "\n\t", ".PHONY:", ":=", "[tool.", "npm run test", "$(", "\\\n", "\ufeff"],
  check: (data) => {
    const text = data.toString("utf8");
    const texts = new Map(NAMES.map((name) => [name, text]));
    const tracked = [...NAMES, "src/a.mjs", "tests/test_a.py", "go.mod"];
    const files = new Set(tracked);
    const facts = {
      tracked,
      files,
      folders: new Set(["src", "tests"]),
      testFiles: new Set(["tests/test_a.py"]),
      texts,
    };
    const checks = checkSources(facts).flatMap((source) => source.checks);
    for (const { id, cmd, args } of checks)
      assert(
        [id, cmd, ...args].every((word) => typeof word === "string" && !word.includes("\0")),
        JSON.stringify(args),
      );
    for (const { cmd, args } of findSetup(facts, checks)) assert([cmd, ...args].every((word) => word !== ""));
    for (const args of [["test"], ["run", "lint"], ["-C", "x", "build"]])
      for (const cmd of ["npm", "make", "just"])
        for (const found of listRecipeCommands({ cmd, args }, texts)) assert.equal(typeof found.cmd, "string");
    for (const path of listMainPaths(text, files)) assert(files.has(path));
    for (const path of ["package.json", "tsconfig.json"])
      for (const old of [null, text, JSON.stringify(MANIFEST)]) checkPinned(path, old, text);
  },
};

/** What stands in for a manifest is one, and to pin it once more changes nothing. */
function checkPinned(path: string, old: string | null, text: string): void {
  const pinned = pinManifest(path, old, text);
  if (pinned === null) return;
  const again = pinManifest(path, old, pinned);
  assert(again !== null, "what was pinned is no manifest");
  assert.deepEqual(JSON.parse(again), JSON.parse(pinned), "pinned twice, it is another manifest");
}
