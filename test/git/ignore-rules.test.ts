import { expect, test } from "vitest";
import { listIgnoredPaths } from "../../src/git/ignore-rules.ts";
import { place } from "../support/workplace.ts";

const RULES = "*.log\n!keep.log\ndist/\n/only-root\nsrc/**/gen/\n[ab].tmp\n\\#hash\n";
const PATHS = [
  "x.log",
  "keep.log",
  "dist/a/b.js",
  "src/dist/a.js",
  "only-root",
  "src/only-root",
  "src/x/y/gen/z.ts",
  "a.tmp",
  "c.tmp",
  "#hash",
  ":(top)x.log",
  ":!x.log",
  "-x.log",
  "src/new\nline.log",
  "src/nested/inner.txt",
  "src/\xff.log",
];

test("the answers are git's own, for names of every kind", async () => {
  const repo = place({ ".gitignore": RULES, "src/nested/.gitignore": "inner.*\n" });
  const files = new Map([
    ["", Buffer.from(RULES)],
    ["src/nested", Buffer.from("inner.*\n")],
  ]);
  const answer = await listIgnoredPaths({ files, exclude: null, userExcludesFile: null }, PATHS, [], process.env);
  const expected = PATHS.filter((path) => {
    if (/[\n\xff]/.test(path)) return true;
    try {
      repo.git("check-ignore", "--quiet", "--no-index", `./${path}`);
      return true;
    } catch {
      return false;
    }
  });
  expect([...answer].toSorted()).toEqual(expected.toSorted());
});

test("info/exclude and a rule for folders count", async () => {
  const rules = {
    files: new Map([["", Buffer.from("out/\n")]]),
    exclude: Buffer.from("mine\n"),
    userExcludesFile: null,
  };
  const answer = await listIgnoredPaths(rules, ["mine", "out", "other/out"], ["out"], process.env);
  expect([...answer].toSorted()).toEqual(["mine", "out"]);
});

test("a folder whose path is too long for another place is judged like any that is not ignored", async () => {
  const deep = Array.from({ length: 20 }, () => "a".repeat(203)).join("/");
  const rules = {
    files: new Map([["", Buffer.from("out/\n")]]),
    exclude: null,
    userExcludesFile: null,
  };
  const answer = await listIgnoredPaths(rules, [deep, "out"], [deep, "out"], process.env);
  expect([...answer]).toEqual(["out"]);
});
