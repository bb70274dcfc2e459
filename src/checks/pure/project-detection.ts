import type { CheckTemplate, Detection } from "../../records/setup-answers.ts";
import { isRecord } from "../../base/quantity.ts";
import { type ProjectFacts, type CheckSource, checkSources } from "./check-sources.ts";
import { validateGlob } from "../../base/glob-validity.ts";
import { formatConfig } from "./config-text.ts";

/** A build that the checks need: its output is ignored, and the script of a check names it without building it. */

const FOLDERS = ["dist", "build", "out"];
const MANAGERS = ["npm", "pnpm", "yarn", "bun"];

export function findSetup(
  { texts, folders }: Pick<ProjectFacts, "texts" | "folders">,
  templates: readonly CheckTemplate[],
): readonly Omit<CheckTemplate, "id">[] {
  const build = templates.find(({ id, cmd }) => id === "build" && MANAGERS.includes(cmd));
  if (build === undefined) return [];
  const scripts = readScripts(texts.get("package.json") ?? "");
  const output = FOLDERS.filter((folder) => !folders.has(folder) && isIgnored(folder, texts.get(".gitignore") ?? ""));
  const isUsed = templates
    .filter(({ id }) => id !== "build" && !scripts.has(`pre${id}`))
    .map(({ id }) => scripts.get(id) ?? "")
    .some((script) => !/\bbuild\b(?!\/)/u.test(script) && output.some((folder) => isNamedIn(script, folder)));
  return isUsed ? [{ cmd: build.cmd, args: build.args }] : [];
}

/** By a plain line of the root; anything cleverer is left to the person. */
function isIgnored(folder: string, text: string): boolean {
  return text.split(/\r?\n/u).some((line) => line.trim().replace(/^\//u, "").replace(/\/$/u, "") === folder);
}

function isNamedIn(script: string, folder: string): boolean {
  return script.split(/[\s"'=]+/u).some((word) => word.replace(/^\.\//u, "").startsWith(`${folder}/`));
}

function readScripts(text: string): ReadonlyMap<string, string> {
  const scripts = readObject(text)["scripts"];
  const entries = isRecord(scripts) ? Object.entries(scripts) : [];
  return new Map(entries.flatMap(([name, script]) => (typeof script === "string" ? [[name, script] as const] : [])));
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

/** The fields of package.json that name files of the package. */
const FIELDS = ["main", "module", "browser", "exports", "bin", "types", "typings", "man"];
/** As Node completes a name. */
const ENDINGS = ["", ".js", ".cjs", ".mjs", ".json", "/index.js"];

/** The tracked files that package.json declares as the package's own. */
export function listMainPaths(manifest: string | undefined, tracked: ReadonlySet<string>): readonly string[] {
  const fields = parseManifest(manifest);
  const named = FIELDS.flatMap((field) => listTexts(fields[field], 0))
    .map((path) => path.replace(/^\.\/+/u, "").replace(/\/+$/u, ""))
    .flatMap((path) => ENDINGS.map((ending) => `${path}${ending}`).find((candidate) => tracked.has(candidate)) ?? []);
  return [...new Set(named)].filter((path) => path !== "package.json");
}

const DEPTH_MAX = 8;

/** Conditions and subpaths of `exports` are nested. */
function listTexts(value: unknown, depth: number): readonly string[] {
  if (typeof value === "string") return [value];
  if (depth > DEPTH_MAX) return [];
  if (Array.isArray(value)) return value.flatMap((part) => listTexts(part, depth + 1));
  return isRecord(value) ? Object.values(value).flatMap((part) => listTexts(part, depth + 1)) : [];
}

function parseManifest(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse((text ?? "").replace(/^\uFEFF/u, ""));
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

/**
 * The scope of a first configuration, from the files that git tracks: folders with source or tests, source files at the
 * root, the package's main files, its manifest, and the documents at the root. Hidden folders, build output and fetched packages are not in it, and the
 * forbidden globs stay in force.
 */

/** A task can hold 64: a person may add some, and name protected paths. */
export const FOUND_GLOBS_MAX = 48;
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
const DOCUMENT = /\.(?:md|markdown|rst|adoc|org)$/i;
/** Documents by their name, whatever their ending. */
const NAMED_DOCUMENT = /^(?:readme|change(?:log|s)|history|news|contributing|authors|upgrading)(?:\.txt)?$/i;
const MANIFEST = new RegExp(
  `^(?:${[
    "package\\.json|deno\\.jsonc?|pyproject\\.toml|setup\\.(?:py|cfg)|Cargo\\.toml|go\\.mod|Gemfile|composer\\.json|pom\\.xml",
    "build\\.gradle(?:\\.kts)?|build\\.sbt|mix\\.exs|Package\\.swift|pubspec\\.yaml|Project\\.toml|CMakeLists\\.txt|rebar\\.config",
    ".+\\.(?:gemspec|[cf]sproj|vbproj|cabal|nimble|opam|rockspec)",
  ].join("|")})$`,
  "i",
);

/** `tracked` are paths from the root. */
export function listAllowedGlobs(tracked: readonly string[], manifest: string | undefined): readonly string[] {
  const source = tracked.some((path) => SOURCE_FILE.test(path)) ? SOURCE_FILE : TEXT_FILE;
  const atRoot = tracked.filter((path) => isAtRoot(path) && !path.startsWith("."));
  const folders = rankFolders(tracked, source);
  const files = listRootGlobs(atRoot.filter((name) => source.test(name) || DOCUMENT.test(name)));
  const isCovered = (path: string) =>
    folders.includes(path.slice(0, path.indexOf("/"))) ||
    files.some((glob) => glob === path || (glob.startsWith("*") && isAtRoot(path) && path.endsWith(glob.slice(1))));
  const mains = shortenNames(listMainPaths(manifest, new Set(tracked)).filter((path) => !isCovered(path)));
  const named = atRoot.filter((name) => NAMED_DOCUMENT.test(name) || MANIFEST.test(name));
  const others = named.filter((name) => !isCovered(name)).slice(0, NAMES_MAX);
  const rest = [...files, ...mains, ...others].filter(isUsable);
  const kept = folders.slice(0, FOUND_GLOBS_MAX - rest.length).toSorted(compareFolders);
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

/**
 * Finds the checks and source folders of a repository. It only fills in a configuration that a person then reads, so it
 * guesses nothing.
 */

export function detectProject(facts: ProjectFacts): Detection {
  const sources = checkSources(facts);
  const templates = withUniqueIds(sources);
  const setup = findSetup(facts, templates);
  return {
    languages: listLanguages(facts),
    found: sources.map(({ found, checks }) => `${found}: ${checks.map(({ id }) => id).join(", ") || "no check"}`),
    templates,
    ...(setup.length === 0 ? {} : { setup }),
    allowedGlobs: listAllowedGlobs(facts.tracked, facts.texts.get("package.json")),
  };
}

/**
 * The first source with an id keeps it. A later check with the same id is dropped if one of the two wraps the other,
 * and otherwise named after its tool, as in a repository with two languages.
 */
function withUniqueIds(sources: readonly CheckSource[]): readonly CheckTemplate[] {
  const owners = new Map<string, CheckSource>();
  return sources.flatMap((source) =>
    source.checks.flatMap((check) => {
      const owner = owners.get(check.id);
      if (owner === undefined) {
        owners.set(check.id, source);
        return [check];
      }
      return owner.wraps || source.wraps ? [] : [{ ...check, id: `${source.tool}_${check.id}` }];
    }),
  );
}

/** The agents that relais finds by itself, in the order of choice. */
export const KNOWN_AGENTS = [
  { program: "claude", driver: "claude_code" },
  { program: "codex", driver: "codex" },
] as const;

export type KnownDriver = (typeof KNOWN_AGENTS)[number]["driver"];

interface InitialChoices {
  /** Null where none was found; the defaults count then. */
  readonly agent?: KnownDriver | null;
  /** For editors; relais does not read it. */
  readonly schema?: string | null;
}

/** The most checks of a task. */
const REQUIRED_MAX = 16;

/** What was found, one line for each choice. The agent is named, so that a later default does not change it. */
export function makeInitialConfig(
  { templates, setup, allowedGlobs }: Detection,
  { agent = null, schema = null }: InitialChoices = {},
): string {
  return formatConfig({
    ...(schema === null ? {} : { $schema: schema }),
    ...(agent === null ? {} : { builder: { default_mode: agent } }),
    // Without it, Claude Code plans.
    ...(agent === null || agent === "claude_code" ? {} : { roles: { orchestrator: { driver: agent } } }),
    scope: { default_allowed_globs: allowedGlobs },
    verification: {
      templates,
      ...(templates.length === 0 ? {} : { required: templates.slice(0, REQUIRED_MAX).map(({ id }) => id) }),
      ...(setup === undefined ? {} : { setup }),
    },
  });
}

/** Names at the root that only projects of this language have. */
const SIGNS: readonly (readonly [string, RegExp])[] = [
  ["TypeScript", /^tsconfig(?:\..+)?\.json$|\.tsx?$/],
  ["JavaScript", /^package\.json$|\.[cm]?jsx?$/],
  ["Python", /^(?:pyproject\.toml|setup\.(?:py|cfg)|requirements.*\.txt|Pipfile|tox\.ini)$|\.py$/],
  ["Rust", /^Cargo\.toml$/],
  ["Go", /^go\.mod$|\.go$/],
  ["Ruby", /^Gemfile$|\.gemspec$/],
  ["Java", /^pom\.xml$|^build\.gradle$/],
  ["Kotlin", /^build\.gradle\.kts$/],
  ["PHP", /^composer\.json$/],
  ["C#", /\.(?:csproj|sln)$/],
  ["Swift", /^Package\.swift$/],
  ["Elixir", /^mix\.exs$/],
];

/** TypeScript includes JavaScript. */
function listLanguages({ files, testFiles }: ProjectFacts): readonly string[] {
  const names = [...files, ...testFiles].map((path) => path.slice(path.lastIndexOf("/") + 1));
  const found = SIGNS.filter(([, sign]) => names.some((name) => sign.test(name))).map(([language]) => language);
  return found.includes("TypeScript") ? found.filter((language) => language !== "JavaScript") : found;
}
