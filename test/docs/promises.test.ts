/** Each promise of docs/promises.md names tests that exist, by file and title, and no promise of SECURITY.md is left out. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

interface PromiseRow {
  readonly promise: string;
  readonly tests: readonly string[];
}

/** The rows of all tables of promises on a page. */
function listPromises(path: string): readonly PromiseRow[] {
  const rows = read(path)
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .filter(([, promise = "", shown = ""]) => promise.endsWith(".") && shown.startsWith("`test/"));
  return rows.map(([, promise = "", shown = ""]) => ({
    promise,
    tests: [...shown.matchAll(/`(?<name>[^`]+)`/g)].map(({ groups }) => groups?.["name"] ?? ""),
  }));
}

const PROMISES = listPromises("docs/promises.md");

/** Null where the file has a test with this title. */
function findFault(name: string): string | null {
  const [file = "", title] = name.split(/: (?<title>.*)/s);
  if (!existsSync(join(ROOT, file))) return `there is no ${file}`;
  const isTitle = read(file)
    .split("\n")
    .some((line) => title !== undefined && line.includes(title) && /["'`]/.test(line));
  return isTitle ? null : `${file} has no test ${title ?? "with a title"}`;
}

test("every test of every promise exists", () => {
  expect(PROMISES.length).toBeGreaterThan(20);
  expect(PROMISES.flatMap(({ tests }) => tests.map(findFault)).filter((fault) => fault !== null)).toEqual([]);
});

test("a file that is gone and a title that was renamed are found", () => {
  expect(findFault("test/docs/gone.test.ts: any")).toBe("there is no test/docs/gone.test.ts");
  expect(findFault("test/cli/drill.test.ts: a title that nobody wrote")).toMatch(/has no test/);
  expect(findFault("test/cli/drill.test.ts")).toMatch(/has no test with a title/);
});

test("every promise of SECURITY.md is there, with the same files", () => {
  const security = listPromises("SECURITY.md");
  expect(security.length).toBeGreaterThan(10);
  for (const { promise, tests } of security) {
    const shown = PROMISES.find((row) => row.promise === promise);
    expect({
      promise,
      files: tests.filter((file) => shown?.tests.some((name) => name.startsWith(`${file}: `)) !== true),
    }).toEqual({
      promise,
      files: [],
    });
  }
});
