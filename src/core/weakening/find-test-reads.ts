/** Code that names files of the tests: a path in a literal, an import, or the name of a test folder beside a read. */
import type { ChangedFile, Occurrence } from "./changed-file.ts";
import { readLine } from "./changed-file.ts";
import type { ScannedSource } from "./scan-source.ts";

export interface TestPaths {
  /** Test files and the folders above them, also without the extension, as an import names them. */
  readonly paths: ReadonlySet<string>;
  /** Names of test files that no other file has. */
  readonly names: ReadonlySet<string>;
  /** Names of folders in which everything is a test. */
  readonly folders: ReadonlySet<string>;
}

export function listTestPaths(paths: readonly string[], isTest: (path: string) => boolean): TestPaths {
  const tests = paths.filter((path) => isTest(path));
  const others = paths.filter((path) => !isTest(path));
  const ofOthers = new Set(others.flatMap((path) => [readName(path), ...listFolders(path)]));
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

/** Scripts around the code name the tests by right. */
const AROUND_THE_CODE =
  /(?:^|\/)(?:scripts?|tools?|ci|\.github|\.circleci|bench(?:marks?)?|docs?|examples?|build|dev|hack|\.husky)\/|(?:^|\/)(?:makefile|justfile|dockerfile|noxfile\.py|setup\.py|tasks\.py|gulpfile\.\w+|gruntfile\.\w+|[^/]*\.config\.\w+|\.[^/]*rc\.\w+)$/iu;
const READS =
  /\b(?:open|read\w*|glob\w*|r?glob|walk\w*|listdir|scandir|iterdir|Path|join|resolve|require|import|load\w*|cat|source|find|ls|ReadFile|ReadDir|include\w*)\b|^\s*\.\s/u;

export function listTestReads(source: ScannedSource, file: ChangedFile, tests: TestPaths): readonly Occurrence[] {
  if (file.role !== "source" || source.language === "settings" || AROUND_THE_CODE.test(file.path)) return [];
  const literals = source.language === "shell" ? listShellWords(source) : source.literals;
  const above = ["", ...listFolders(file.path).map((folder) => `${folder}/`)];
  const named = literals.filter(({ at, text }) =>
    namesTest(text, tests, { above, readAround: () => readLine(source.text, at) }),
  );
  return [...named.map(({ at }) => at), ...listTestImports(source, tests)].map((at) => ({
    kind: "reads_tests",
    at,
    text: readLine(source.text, at),
  }));
}

const PATH_CHARS_MAX = 200;

interface LiteralPlace {
  /** The folders above the file: a path in a literal may begin in any of them. */
  readonly above: readonly string[];
  readonly readAround: () => string;
}

function namesTest(
  literal: string,
  { paths, names, folders }: TestPaths,
  { above, readAround }: LiteralPlace,
): boolean {
  if (literal.length > PATH_CHARS_MAX || /[\n<>|;]/u.test(literal)) return false;
  const path = literal
    .replaceAll("\\", "/")
    .replace(/^(?:file:\/\/|[$%{(][^/]*\/)/u, "")
    .replace(/^[./]+|\/+$|\/\*.*$/gu, "");
  if (path.includes("/"))
    return above.some((folder) => paths.has(folder + path) || paths.has(folder + stripExtension(path)));
  return names.has(path) || (folders.has(path) && READS.test(readAround()));
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

function listTestImports({ code, language }: ScannedSource, { paths, folders }: TestPaths): readonly number[] {
  if (language !== "python") return [];
  return [...code.matchAll(PYTHON_IMPORT)].flatMap(({ index, groups, [0]: line }) => {
    const path = (groups?.["module"] ?? "").replace(/^\.+/u, "").replaceAll(".", "/");
    const [root = ""] = path.split("/");
    const isNamed = path !== "" && (paths.has(path) || (folders.has(root) && root !== ""));
    return isNamed ? [index + line.search(/\S/u)] : [];
  });
}
