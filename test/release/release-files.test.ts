import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isBefore, isVersion, releasedChangelog, releasedLock, releasedPackage } from "../../scripts/release-files.ts";

const ROOT = join(import.meta.dirname, "../..");
const linesThatDiffer = (before: string, after: string): readonly string[] => {
  const lines = before.split("\n");
  return after.split("\n").filter((line, index) => line !== lines[index]);
};

test.each([
  ["1.0.0", true],
  ["0.10.2", true],
  ["v1.0.0", false],
  ["1.0", false],
  ["01.0.0", false],
  ["1.0.0-rc.1", false],
  ["", false],
])("%j is a version: %j", (text, expected) => {
  expect(isVersion(text)).toBe(expected);
});

test.each([
  ["0.1.0", "0.2.0", true],
  ["0.9.0", "0.10.0", true],
  ["1.0.0", "0.10.0", false],
  ["1.0.0", "1.0.0", false],
])("%s comes before %s: %j", (one, other, expected) => {
  expect(isBefore(one, other)).toBe(expected);
});

test("what was unreleased gets a heading with a date below an empty one", () => {
  const text = "# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0 - 2026-01-01\n\n- Old.\n";
  expect(releasedChangelog(text, "0.2.0", "2026-02-03")).toBe(
    "# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-02-03\n\n- New.\n\n## 0.1.0 - 2026-01-01\n\n- Old.\n",
  );
});

test.each([
  ["# Changelog\n\n## 0.1.0 - 2026-01-01\n\n- Old.\n", "no section"],
  ["# Changelog\n\n## Unreleased\n\n## 0.1.0 - 2026-01-01\n\n- Old.\n", "nothing below"],
])("a changelog without news is refused", (text, reason) => {
  expect(() => releasedChangelog(text, "0.2.0", "2026-02-03")).toThrow(reason);
});

test("nothing but the version of the package itself is changed", () => {
  const manifest = readFileSync(join(ROOT, "package.json"), "utf8");
  expect(linesThatDiffer(manifest, releasedPackage(manifest, "98.7.6"))).toEqual(['  "version": "98.7.6",']);
  const lock = readFileSync(join(ROOT, "package-lock.json"), "utf8");
  expect(linesThatDiffer(lock, releasedLock(lock, "98.7.6"))).toEqual([
    '  "version": "98.7.6",',
    '      "version": "98.7.6",',
  ]);
});
