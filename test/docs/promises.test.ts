/**
 * Each promise of lab/promises.json names tests that exist, by file and title, no promise of SECURITY.md is left out, and
 * every landing runs a test of each promise.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import picomatch from "picomatch";
import { expect, test } from "vitest";
import { PROJECTS } from "../../vitest.config.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

interface PromiseRow {
  readonly promise: string;
  readonly tests: readonly string[];
}

const PARTS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = JSON.parse(
  read("lab/promises.json"),
);
const PROMISES: readonly PromiseRow[] = Object.values(PARTS).flatMap((part) =>
  Object.entries(part).map(([promise, tests]) => ({ promise, tests })),
);

/** A table of scenarios is played by the test file of the same name. */
const fileOf = (name: string): string =>
  (name.split(": ")[0] ?? "").replace(/^(test\/scenarios\/[\w-]+)\.ts$/, "$1.test.ts");

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
  expect(findFault("test/drill/drill.test.ts: a title that nobody wrote")).toMatch(/has no test/);
  expect(findFault("test/drill/drill.test.ts")).toMatch(/has no test with a title/);
});

test("every promise of SECURITY.md has its tests", () => {
  const [promised = ""] = read("SECURITY.md").split("## Against whom");
  const security = [...promised.matchAll(/^- (.*(?:\n {2}.*)*)/gm)].map(([, words = ""]) =>
    words.replaceAll(/\s+/g, " "),
  );
  expect(security.length).toBeGreaterThan(10);
  expect(security.filter((words) => !PROMISES.some(({ promise }) => promise === words))).toEqual([]);
});

const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(read("package.json"));

/** The calls of vitest in a shell script, with those of the scripts of package.json that it names. */
function listCalls(script: string): readonly string[] {
  return script.split("\n").flatMap((line) => {
    if (line.trimStart().startsWith("#")) return [];
    const [, name = ""] = /\bnpm (?:run )?(test\b[\w:-]*|check[\w:-]*)/.exec(line) ?? [];
    const called = scripts[name];
    if (called === undefined) return line.includes("vitest run") ? [line] : [];
    // `npm test` runs the static checks by their names, then the tests.
    return listCalls(called === "node scripts/check.mjs" ? (scripts["check:tests"] ?? "") : called);
  });
}

/** The projects of vitest that such a script runs whole: a shard or a filter is no whole. */
function listProjects(script: string): ReadonlySet<string> {
  const whole = listCalls(script).filter((call) => !/--shard|--changed| -t |\btest\//.test(call));
  return new Set(whole.flatMap((call) => [...call.matchAll(/--project (\S+)/g)].map(([, name = ""]) => name)));
}

function runsOnEachLanding(file: string, projects: ReadonlySet<string>): boolean {
  return Object.entries(PROJECTS).some(
    ([name, { include, exclude }]) => projects.has(name) && picomatch.isMatch(file, include, { ignore: exclude }),
  );
}

test("every landing runs a test of each promise", () => {
  const projects = listProjects(read(".ci/run"));
  const silent = PROMISES.filter(({ tests }) => !tests.some((name) => runsOnEachLanding(fileOf(name), projects)));
  expect(silent).toEqual([]);
});

test("a tier that runs by parts, or not at all, shows no promise", () => {
  const file = "test/sandbox/whole-sandbox.test.ts";
  const shows = (script: string): boolean => runsOnEachLanding(file, listProjects(script));
  expect(shows("npx vitest run --project second")).toBe(true);
  expect(shows("npx vitest run --project second --shard 3/10")).toBe(false);
  expect(shows("# npx vitest run --project second")).toBe(false);
  expect(shows("readme() { npm ci && npm test; }")).toBe(false);
  expect(runsOnEachLanding("test/page/guard.test.ts", listProjects("readme() { npm ci && npm test; }"))).toBe(true);
});
