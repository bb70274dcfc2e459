/**
 * The scope of a first configuration, from the files that git tracks: folders with source or tests, source files at the
 * root, the package's main files, and README. Hidden folders, build output and fetched packages are not in it, and the
 * forbidden globs stay in force.
 */
import { validateGlob } from "../../base/glob-validity.ts";
import { listMainPaths } from "./main-files.ts";

/** A task can hold no more. */
export const ALLOWED_GLOBS_MAX = 64;
const GLOB_LENGTH_MAX = 200;
/** More files than this become one glob. */
const NAMES_MAX = 8;

const SOURCE_FILE = new RegExp(
  `\\.(?:${[
    "[cm]?[jt]sx?|vue|svelte|astro|coffee|elm|html?|css|s[ac]ss|less|ejs|hbs|njk|twig",
    "py|pyi|pyx|go|rs|rb|erb|php|java|kt|scala|groovy|clj[cs]?|swift|dart|cs|fs|vb",
    "c|h|cc|cpp|cxx|hh|hpp|m|mm|zig|nim|exs?|erl|hrl|hs|mli?|lua|p[lm]|r|jl|sh|bash|ps1|sql|graphql|proto|sol",
  ].join("|")})$`,
  "i",
);
/** The source of a repository without any program. */
const TEXT_FILE = /\.(?:md|markdown|rst|adoc|txt|tex|org|csv|ipynb)$/i;
/** Folders that belong to the source, although they may hold only texts and data. */
const COMPANION = /^(?:tests?|specs?|__tests__|e2e|testdata|fixtures|examples?|docs?)$/i;
/** Written or fetched by tools, or owned by relais. */
const NOT_SOURCE = new Set(
  "node_modules bower_components vendor third_party dist build out target obj coverage htmlcov tmp venv env relais".split(
    " ",
  ),
);
/** Settings of tools at the root. */
const SETTINGS =
  /[.-](?:config|conf|workspace|setup)\.[^.]+$|^(?:gulpfile|gruntfile|conftest|noxfile|fabfile|mix|package)\.[^.]+$/i;
const README = /^readme(?:\.(?:md|markdown|rst|adoc|txt))?$/i;

/** `tracked` are paths from the root. */
export function listAllowedGlobs(tracked: readonly string[], manifest: string | undefined): readonly string[] {
  const source = tracked.some((path) => SOURCE_FILE.test(path)) ? SOURCE_FILE : TEXT_FILE;
  const atRoot = tracked.filter((path) => isAtRoot(path) && !path.startsWith("."));
  const folders = rankFolders(tracked, source);
  const files = listRootGlobs(atRoot.filter((name) => source.test(name)));
  const isCovered = (path: string) =>
    folders.includes(path.slice(0, path.indexOf("/"))) ||
    files.some((glob) => glob === path || (glob.startsWith("*") && isAtRoot(path) && path.endsWith(glob.slice(1))));
  const mains = shortenNames(listMainPaths(manifest, new Set(tracked)).filter((path) => !isCovered(path)));
  const readmes = atRoot.filter((name) => README.test(name) && !isCovered(name)).slice(0, NAMES_MAX);
  const rest = [...files, ...mains, ...readmes].filter(isUsable);
  const kept = folders.slice(0, ALLOWED_GLOBS_MAX - rest.length).toSorted(compareFolders);
  // During a merge, git lists a path once for each side.
  const globs = [...new Set([...kept.map((name) => `${name}/**`), ...rest])];
  // Nothing tells the files apart, as in an empty repository.
  return globs.length === 0 ? ["**"] : globs;
}

const isAtRoot = (path: string) => !path.includes("/");

/** Folders at the root that hold source, by the number of these files. */
function rankFolders(tracked: readonly string[], source: RegExp): readonly string[] {
  const counts = new Map<string, number>();
  for (const path of tracked) {
    const name = path.slice(0, Math.max(0, path.indexOf("/")));
    if (name === "" || name.startsWith(".") || NOT_SOURCE.has(name)) continue;
    counts.set(name, (counts.get(name) ?? 0) + (source.test(path) ? 1 : 0));
  }
  return [...counts]
    .filter(([name, count]) => (count > 0 || COMPANION.test(name)) && isUsable(`${name}/**`))
    .toSorted((left, right) => right[1] - left[1])
    .map(([name]) => name);
}

/** Tests, examples and docs last. */
function compareFolders(left: string, right: string): number {
  return Number(COMPANION.test(left)) - Number(COMPANION.test(right)) || (left < right ? -1 : 1);
}

/** A glob for each kind of file, or the names where settings of tools lie beside them. */
function listRootGlobs(names: readonly string[]): readonly string[] {
  const kinds = new Map<string, string[]>();
  for (const name of names) {
    const kind = `*${name.slice(name.lastIndexOf("."))}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), name]);
  }
  return [...kinds].flatMap(([kind, all]) => {
    const own = all.filter((name) => !SETTINGS.test(name));
    return own.length > 0 && (own.length === all.length || own.length > NAMES_MAX) ? [kind] : own;
  });
}

function shortenNames(paths: readonly string[]): readonly string[] {
  if (paths.length <= NAMES_MAX) return paths;
  return [...new Set(paths.map((path) => (isAtRoot(path) ? path : `${path.slice(0, path.indexOf("/"))}/**`)))].slice(
    0,
    NAMES_MAX,
  );
}

/** A name with a special meaning in a glob, or one that is not text, would stand for other files. */
function isUsable(glob: string): boolean {
  const name = glob.replace(/^\*|\/\*\*$/gu, "");
  return !/[*?[\]{}\uFFFD]/u.test(name) && glob.length <= GLOB_LENGTH_MAX && validateGlob(glob) === null;
}
