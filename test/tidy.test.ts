/** Reads the repository itself: what a rule asks of the tree as a whole is checked here. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { LEVELS } from "../scripts/rooms.mjs";

const ROOT = join(import.meta.dirname, "..");
const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
  cwd: ROOT,
  encoding: "utf8",
})
  .split("\0")
  .filter((path) => path !== "" && existsSync(join(ROOT, path)));
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const sources = files.filter((path) => path.startsWith("src/"));
const code = files.filter((path) => /^(src|test|lab|scripts)\/.*\.(ts|mjs)$/.test(path));

test("nothing is left for later in the code", () => {
  // In pieces, so that this file does not find itself.
  const words = [
    ["FIX", "ME"],
    ["TO", "DO"],
    ["XX", "X"],
    ["vi.", "mock"],
  ].map((parts) => parts.join(""));
  const left = code.filter((path) => words.some((word) => read(path).includes(word)));
  expect(left).toEqual([]);
});

test("no test is switched off without a condition", () => {
  const off = code.filter((path) => /^\s*(test|it|describe)\.(skip|only|todo)\(/m.test(read(path)));
  expect(off).toEqual([]);
});

test("no file has a name that says nothing", () => {
  const names = new Set(["utils", "helpers", "lib", "common", "types", "misc", "index"]);
  expect(code.filter((path) => names.has(basename(path).replace(/\..*$/, "")))).toEqual([]);
  expect(code.filter((path) => path.startsWith("src/") && path !== path.toLowerCase())).toEqual([]);
});

test("every gate has a test of its own", () => {
  const gates = readdirSync(join(ROOT, "src/judge/pure")).flatMap((name) =>
    [...read(`src/judge/pure/${name}`).matchAll(/: Gate = \{\s*id: "([a-z-]+)"/g)].map(([, id = ""]) => id),
  );
  expect(gates.length).toBeGreaterThan(14);
  const hasTest = (id: string): boolean =>
    [id, `${id}-gate`].some((name) => existsSync(join(ROOT, `test/judge/pure/${name}.test.ts`)));
  expect(gates.filter((id) => !hasTest(id))).toEqual([]);
});

test("a file that a comment names exists", () => {
  const names = new Set(files.map((path) => basename(path)));
  const named = code.flatMap((path) =>
    [...read(path).matchAll(/^\s*(?:\*|\/\/|\/\*\*).*$/gm)].flatMap(([line]) =>
      [...line.matchAll(/`([a-z0-9-]+\.tsx?)`/g)].map(([, name = ""]) => `${path}: ${name}`),
    ),
  );
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((one) => !names.has(one.split(": ")[1] ?? ""))).toEqual([]);
});

/** A corpus is one document, however many inputs its parser needs. */
const sizeLimit = (path: string): number => (path.startsWith("lab/fuzz/corpus/") ? 512 : 256) * 1024;

test("no large file is kept", () => {
  expect(files.filter((path) => statSync(join(ROOT, path)).size > sizeLimit(path))).toEqual([]);
});

test("every folder of the sources is a room that the import rules name", () => {
  const folders = new Set(sources.map((path) => path.split("/").slice(1, -1).join("/")));
  folders.delete("");
  expect([...folders].toSorted()).toEqual(LEVELS.flat().toSorted());
});

test("no two files of the sources have one name", () => {
  const counts = new Map<string, number>();
  // Each room has a README, and says so by its folder.
  const named = sources.filter((path) => basename(path) !== "README.md");
  for (const path of named) counts.set(basename(path), (counts.get(basename(path)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > 1)).toEqual([]);
});

test("the test of a file of the sources lies where the file's name says", () => {
  const rooms = new Map(
    sources.map((path) => [basename(path).replace(/\.tsx?$/, ""), path.split("/").slice(1, -1).join("/")]),
  );
  const tests = files.filter(
    (path) => LEVELS.flat().some((room) => path.startsWith(`test/${room}/`)) && path.endsWith(".test.ts"),
  );
  const misplaced = tests.filter((path) => {
    const room = rooms.get(basename(path).replace(".test.ts", ""));
    return room !== undefined && room !== path.split("/").slice(1, -1).join("/") && !path.startsWith("test/commands/");
  });
  expect(tests.length).toBeGreaterThan(300);
  expect(misplaced).toEqual([]);
});

/** Names that the sources export: the word before the name, the name, the file. */
const exported = code
  .filter((path) => path.startsWith("src/"))
  .flatMap((path) =>
    [...read(path).matchAll(/^export (?:async )?(function\*?|const|interface|type|class) (\w+)(.*)$/gm)].map(
      ([, word = "", name = "", rest = ""]) => ({ word, name, rest, path }),
    ),
  );

test("no exported name has a word that the glossary refuses", () => {
  const glossary = read("ARCHITECTURE.md").split("## Words")[1] ?? "";
  const refused = [...glossary.matchAll(/^\|[^|]+\|[^|]+\|([^|-]+)\|$/gm)]
    .flatMap(([, words = ""]) => words.split(","))
    .map((word) => word.trim())
    .filter((word) => word !== "" && word !== "never");
  expect(refused.length).toBeGreaterThan(15);
  const bad = exported.filter(({ name }) =>
    name
      .split(/(?<=[a-z0-9])(?=[A-Z])|_/)
      .map((word) => word.toLowerCase())
      .some((word) => refused.includes(word) || refused.includes(word.replace(/s$/, ""))),
  );
  expect(bad.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
});

test("an exported name means one thing in the whole code base", () => {
  // A schema and the type of its values share a file and a name.
  const places = new Map<string, Set<string>>();
  for (const { name, path } of exported) places.set(name, (places.get(name) ?? new Set()).add(path));
  expect(places.size).toBeGreaterThan(1000);
  expect([...places].filter(([, paths]) => paths.size > 1)).toEqual([]);
});

test("exported functions are verbs, not bare participles and not nouns with `Of`", () => {
  const IRREGULAR = /^(said|told|heard|begun|left|kept|found|made|held|sent|taken|given|known|shown|written)$/;
  const functions = exported.filter(
    ({ word, rest }) => word.startsWith("function") || /^[^=]*= (async )?\(/.test(rest),
  );
  expect(functions.length).toBeGreaterThan(1000);
  const isBad = (name: string): boolean => /Of$|^[a-z]+(ed|ing)$/.test(name) || IRREGULAR.test(name);
  expect(functions.filter(({ name }) => isBad(name))).toEqual([]);
});

/** The last commit before subjects were held to one line. */
const LONG_SUBJECTS_END = "f96e94d9d16a9267d8d3428a51b9f325af896ecf";
const git = (...args: readonly string[]): string => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" });
// A shallow clone does not have it.
const hasHistory = existsSync(join(ROOT, ".git")) && git("rev-list", "--all").includes(LONG_SUBJECTS_END);

test.skipIf(!hasHistory)("the subject of a commit is at most 72 characters long", () => {
  const subjects = git("log", "--format=%s", `${LONG_SUBJECTS_END}..HEAD`).trim().split("\n");
  expect(subjects.filter((subject) => subject.length > 72)).toEqual([]);
});
