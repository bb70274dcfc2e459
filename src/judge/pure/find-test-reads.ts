/** Code that names files of the tests: a path in a literal, an import, or the name of a test folder beside a read. */
import { type ChangedFile, type Occurrence, readLine } from "./changed-file.ts";
import type { ScannedSource } from "../../base/scan-source.ts";

export interface TestPaths {
  /** Test files and the folders above them, also without the extension, as an import names them. */
  readonly paths: ReadonlySet<string>;
  /** Names of test files that no other file has. */
  readonly names: ReadonlySet<string>;
  /** Names of folders in which everything is a test. */
  readonly folders: ReadonlySet<string>;
}

export function listTestPaths(paths: readonly string[], isTest: (path: string) => boolean): TestPaths {
  const tests: string[] = [];
  const ofOthers = new Set<string>();
  for (const path of paths) {
    if (isTest(path)) tests.push(path);
    else addFolders(ofOthers.add(readName(path)), path);
  }
  const folders = new Set(tests.flatMap(listFolders).filter((folder) => !ofOthers.has(folder)));
  return {
    paths: new Set([...tests, ...tests.map(stripExtension), ...folders]),
    names: new Set(tests.map(readName).filter((name) => name.includes(".") && !ofOthers.has(name))),
    folders: new Set([...folders].map(readName).filter((name) => TEST_FOLDER.test(name))),
  };
}

const TEST_FOLDER = /^(?:tests?|__tests__|specs?|e2e|test-?data|fixtures|__snapshots__)$/u;

function readName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function stripExtension(path: string): string {
  return path.replace(/\.\w+$/u, "");
}

function listFolders(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, place) => parts.slice(0, place + 1).join("/"));
}

/** A folder that is known is known with those above it. */
function addFolders(known: Set<string>, path: string): void {
  for (let at = path.lastIndexOf("/"); at > 0 && !known.has(path.slice(0, at)); at = path.lastIndexOf("/", at - 1))
    known.add(path.slice(0, at));
}

/** Scripts around the code deal with the tests by right. */
const AROUND_THE_CODE =
  /(?:^|\/)(?:scripts?|tools?|ci|\.github|\.circleci|bench(?:marks?)?|docs?|examples?|build|dev|hack|\.husky)\/|(?:^|\/)(?:makefile|justfile|dockerfile|noxfile\.py|setup\.py|tasks\.py|gulpfile\.\w+|gruntfile\.\w+|[^/]*\.config\.\w+|\.[^/]*rc\.\w+)$/iu;
const READS =
  /\b(?:open|read\w*|glob\w*|r?glob|walk\w*|listdir|scandir|iterdir|Path|join|resolve|require|import|load\w*|ReadFile|ReadDir)\s*\(|^\s*(?:\.|source|cat|find|ls)\s|\bfrom\b|\s\/\s/u;

/** Whether the tests judge this file. */
export function isUnderTest({ path, role }: Pick<ChangedFile, "path" | "role">): boolean {
  return role === "source" && !AROUND_THE_CODE.test(path);
}

/** In a large repository the paths are many, so they are asked for only where a text may name one. */
export function listTestReads(source: ScannedSource, file: ChangedFile, tests: () => TestPaths): readonly Occurrence[] {
  if (source.language === "settings" || !isUnderTest(file)) return [];
  const literals = source.language === "shell" ? listShellWords(source) : source.literals;
  const named = literals.filter(({ at, text }) => namesTest(text, tests, file.path, () => readLine(source.code, at)));
  return [...named.map(({ at }) => at), ...listTestImports(source, tests)].map((at) => ({
    kind: "reads_tests",
    at,
    text: readLine(source.text, at),
  }));
}

const PATH_CHARS_MAX = 200;

function namesTest(literal: string, tests: () => TestPaths, file: string, readAround: () => string): boolean {
  if (literal.length > PATH_CHARS_MAX || /[\n<>|;]/u.test(literal)) return false;
  const { paths, names, folders } = tests();
  const path = literal
    .replaceAll("\\", "/")
    .replace(/^(?:file:\/\/|[$%{(][^/]*\/)/u, "")
    .replace(/\/+$|\/\*.*$/gu, "");
  if (path.includes("/"))
    return listTargets(path, file).some((target) => paths.has(target) || paths.has(stripExtension(target)));
  return names.has(path) || (folders.has(path) && READS.test(readAround()));
}

/** A relative path begins in the folder of the file or at the root, any other in one of the folders above. */
function listTargets(path: string, file: string): readonly string[] {
  const above = listFolders(file);
  const plain = path.replace(/^(?:\.?\/)+/u, "");
  if (!path.startsWith(".")) return ["", ...above.map((folder) => `${folder}/`)].map((folder) => folder + plain);
  const ups = path.split("/").filter((part) => part === "..").length;
  const start = ups > above.length ? null : (above[above.length - 1 - ups] ?? "");
  const below = plain.replace(/^(?:\.\.\/)+/u, "");
  return [plain, ...(start === null ? [] : [start === "" ? below : `${start}/${below}`])];
}

const SHELL_WORD = /(?:[\w.${}@-]|"\$\{?\w+\}?")*\/[\w./*@-]+/gu;

/** Paths need no quotes in a shell. */
function listShellWords({ text, code, comments }: ScannedSource) {
  return [...text.matchAll(SHELL_WORD)].flatMap(({ index, [0]: word }) =>
    comments.charAt(index).trim() === "" && code.length > index
      ? [{ at: index, text: word.replaceAll('"', "").replace(/^\$\{?\w+\}?\//u, "./") }]
      : [],
  );
}

const PYTHON_IMPORT = /^[ \t]*(?:from|import)[ \t]+(?<module>\.*[\w.]+)/gmu;

function listTestImports({ code, language }: ScannedSource, tests: () => TestPaths): readonly number[] {
  if (language !== "python") return [];
  const { paths, folders } = tests();
  return [...code.matchAll(PYTHON_IMPORT)].flatMap(({ index, groups, [0]: line }) => {
    const path = (groups?.["module"] ?? "").replace(/^\.+/u, "").replaceAll(".", "/");
    const [root = ""] = path.split("/");
    const isNamed = path !== "" && (paths.has(path) || (folders.has(root) && root !== ""));
    return isNamed ? [index + line.search(/\S/u)] : [];
  });
}

/** What product code imports already is no test, whatever its name. */
export function isImported(line: string, text: string): boolean {
  const named = [
    ...line.matchAll(/["'`](?:\.{0,2}\/)*(?<path>[^"'`\n]{3,200})["'`]|^\s*(?:from|import)\s+\.*(?<module>[\w.]+)/gu),
  ]
    .map(({ groups }) => groups?.["path"] ?? groups?.["module"] ?? "")
    .filter((path) => path !== "" && text.includes(path));
  return named.some((path) =>
    text.split("\n").some((own) => own.includes(path) && /\b(?:import|from|require|use|include|export)\b/u.test(own)),
  );
}
