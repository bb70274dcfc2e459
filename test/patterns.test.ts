/** A pattern that matches no file guards nothing: every pattern in the settings of the tools must match one. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import picomatch from "picomatch";
import { expect, test } from "vitest";
import cruiser from "../.dependency-cruiser.mjs";
import { PROJECTS } from "../vitest.config.ts";

const ROOT = join(import.meta.dirname, "..");
const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
  cwd: ROOT,
  encoding: "utf8",
})
  .split("\0")
  .filter((path) => path !== "" && existsSync(join(ROOT, path)));
const readJson = (path: string): unknown => JSON.parse(readFileSync(join(ROOT, path), "utf8"));

/** Every text that stands in a value below one of these keys. */
function listTexts(value: unknown, keys: readonly string[], isBelow = false): readonly string[] {
  if (typeof value === "string") return isBelow ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item) => listTexts(item, keys, isBelow));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => listTexts(item, keys, isBelow || keys.includes(key)));
}

/** `a(b|c)d` is `abd` and `acd`: each of them has to match a file, or a part of the pattern guards nothing. */
function spread(pattern: string): readonly string[] {
  const [whole, before = "", inside = "", after = ""] = /^(.*?)\(((?:[^()]*\|)+[^()]*)\)(.*)$/s.exec(pattern) ?? [];
  if (whole === undefined) return [pattern];
  return inside.split("|").flatMap((choice) => spread(`${before}${choice}${after}`));
}

function listIdlePatterns(patterns: readonly string[]): readonly string[] {
  return patterns.flatMap(spread).filter((pattern) => {
    // `$1` stands for what another pattern caught.
    const expression = new RegExp(pattern.replaceAll("$1", "[^/]+"));
    return !files.some((path) => expression.test(path));
  });
}

function listIdleGlobs(globs: readonly string[]): readonly string[] {
  return globs.filter((glob) => {
    const isMatch = picomatch(glob.replace(/!$/, ""), { dot: true, basename: !glob.includes("/") });
    return !files.some((path) => isMatch(path));
  });
}

/** Patterns for modules of Node and for packages, which are no files of this repository. */
const isForModules = (pattern: string): boolean => pattern.startsWith("^(node:)?") || pattern === "node_modules";

test("an idle pattern is found, also in a part of a pattern", () => {
  expect(listIdlePatterns(["^src/(git|gone)/", "^test/fixtures/$1/"])).toEqual(["^src/gone/"]);
  expect(listIdleGlobs(["src/gone/**", "src/bin.ts!", "*.config.ts"])).toEqual(["src/gone/**"]);
});

test("every pattern of the import rules matches a file", () => {
  const patterns = listTexts(cruiser.forbidden, ["path", "pathNot"]).filter((pattern) => !isForModules(pattern));
  expect(patterns.length).toBeGreaterThan(100);
  expect(listIdlePatterns(patterns)).toEqual([]);
});

test("every glob of the linter and of the search for dead code matches a file", () => {
  const lint = listTexts(readJson(".oxlintrc.json"), ["files", "ignorePatterns"]);
  const dead = listTexts(readJson("knip.json"), ["entry", "project", "ignore"]);
  expect(Math.min(lint.length, dead.length)).toBeGreaterThan(5);
  expect(listIdleGlobs([...lint, ...dead])).toEqual([]);
});

test("every glob of the test projects, the second tier among them, matches a file", () => {
  const globs = Object.values(PROJECTS).flatMap(({ include, exclude }) => [...include, ...exclude]);
  expect(globs.length).toBeGreaterThan(100);
  expect(listIdleGlobs([...new Set(globs)])).toEqual([]);
});
