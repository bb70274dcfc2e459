/** New files that take the place of something else: a module with the name of one that is there, an installation's script. */
import { type ChangedText, isTestName, makeWeakening, type Weakening } from "./changed-file.ts";
import { listInstalled, nameDistribution } from "./installed-names.ts";
import { type ModuleSystem, STANDARD_MODULES } from "./standard-modules.ts";

/** A new module that others load by its name alone, because it stands where its language looks. */
export interface NewModule {
  readonly system: ModuleSystem;
  readonly name: string;
  readonly change: ChangedText;
}

const PYTHON = /^(?<folder>(?:.*\/)?)(?<name>(?!__init__\.)\w+)(?:\.pyw?|\/__init__\.py)$/u;
const RUBY = /(?:^|\/)(?:lib|test|spec)\/(?<name>[\w-]+)\.rb$/u;
const JAVA = /(?:^|\/)src\/\w+\/(?:java|kotlin|groovy|scala)\/(?<name>\w+\/\w+)\//u;
const NODE = /\/package\.json$/u;
const OF_NO_PROJECT = /(?:^|\/)(?:examples?|samples?|templates?)\//u;

const BY_PATH: readonly (readonly [ModuleSystem, RegExp])[] = [
  ["python", PYTHON],
  ["ruby", RUBY],
  ["java", JAVA],
];

function nameModule({ path, text }: { path: string; text: string }): Pick<NewModule, "system" | "name"> | null {
  if (NODE.test(path)) return isTestName(path) || OF_NO_PROJECT.test(path) ? null : namePackage(text);
  for (const [system, pattern] of BY_PATH) {
    const name = pattern.exec(path)?.groups?.["name"];
    if (name !== undefined) return { system, name };
  }
  return null;
}

function namePackage(text: string): Pick<NewModule, "system" | "name"> | null {
  const name = /^\s*\{[^{}]*?"name"\s*:\s*"(?<name>[^"\n]+)"/u.exec(text)?.groups?.["name"];
  return name === undefined ? null : { system: "node", name };
}

/** A name that stood there before has only moved, or became a package. */
export function listNewModules(changes: readonly ChangedText[], paths: Iterable<string>): readonly NewModule[] {
  const added = changes.flatMap((change) => {
    const isNew = change.before === null && change.after !== null;
    const named = isNew ? nameModule({ path: change.path, text: change.after ?? "" }) : null;
    return named === null ? [] : [{ ...named, change }];
  });
  if (added.length === 0) return [];
  const old = [...paths, ...changes.flatMap(({ path, before }) => (before === null ? [] : [path]))];
  const all = new Set([...old, ...changes.map(({ path }) => path)]);
  const isSearched = rememberFolders(all);
  const names = new Set(added.map(({ name }) => name));
  const known = new Set(
    changes.flatMap(({ path, before }) => (before === null ? [] : (nameModule({ path, text: before })?.name ?? []))),
  );
  for (const path of old) {
    const name = nameModule({ path, text: "" })?.name;
    if (name !== undefined && names.has(name) && isSearched(path)) known.add(name);
  }
  return added.filter(({ name, change }) => !known.has(name) && isSearched(change.path));
}

const PROJECT_FILES = /^(?:pyproject\.toml|setup\.(?:py|cfg)|requirements[\w-]*\.txt|Pipfile|tox\.ini|pytest\.ini)$/u;
const TEST_FILES = /^(?:test_\w+|\w+_test|tests?|checks?)\.py$/u;

/**
 * Whether Python looks in the folder of a module: the root of a project with its sources, and a folder of tests that is
 * no package. The other languages have no choice.
 */
function rememberFolders(paths: ReadonlySet<string>): (path: string) => boolean {
  const searched = new Set(["", "src/", "lib/"]);
  for (const path of paths) {
    const end = path.lastIndexOf("/") + 1;
    const [folder, name] = [path.slice(0, end), path.slice(end)];
    if (PROJECT_FILES.test(name)) for (const below of ["", "src/", "lib/"]) searched.add(folder + below);
    if (TEST_FILES.test(name)) searched.add(folder);
  }
  return (path) => {
    const folder = PYTHON.exec(path)?.groups?.["folder"];
    return folder === undefined || (searched.has(folder) && !(folder !== "" && paths.has(`${folder}__init__.py`)));
  };
}

/** Those that stand for a module of the language itself. */
export function listStandardShadows(modules: readonly NewModule[]): readonly Shadow[] {
  return modules.filter(({ system, name }) => STANDARD_MODULES[system].has(name)).map(placeShadow);
}

type Shadow = readonly [path: string, weakening: Weakening];

function placeShadow({ change: { path, after } }: NewModule): Shadow {
  return [path, makeWeakening("shadowed_module", { text: after ?? "" }, 0)];
}

type Texts = readonly (readonly [path: string, text: string])[];

/**
 * Those that stand for a distribution which the project installs, by the texts of its manifests. A change that takes the
 * dependency out of them, and its code in, hides nothing.
 */
export function listInstalledShadows(
  modules: readonly NewModule[],
  manifests: { readonly before: Texts; readonly after: Texts },
): readonly Shadow[] {
  const [before, after] = [listInstalled(manifests.before), listInstalled(manifests.after)];
  const isInstalled = (name: string): boolean => before.has(name) && after.has(name);
  return modules
    .filter(({ system, name }) => !STANDARD_MODULES[system].has(name) && isInstalled(nameDistribution(system, name)))
    .map(placeShadow);
}

const MANIFESTS = /(?:^|\/)(?:package\.json|package-lock\.json|npm-shrinkwrap\.json)$/u;

/** A script that an installation runs: of a manifest by what it runs, of a lockfile by the name of its package. */
interface InstallScript {
  readonly name: string;
  /** What stands at its place in the text. */
  readonly words: readonly string[];
}

/** In manifests and in lockfiles, which no other rule reads. Another copy of a package brings nothing new. */
export function listInstallScripts(changes: readonly ChangedText[]): readonly (readonly [string, Weakening])[] {
  const manifests = changes.filter(({ path }) => MANIFESTS.test(path));
  const known = new Set(manifests.flatMap(({ before }) => readScripts(before).map(({ name }) => name)));
  return manifests.flatMap(({ path, after }) =>
    readScripts(after)
      .filter(({ name }) => !known.has(name))
      .map(({ words }) => [
        path,
        makeWeakening("install_script", { text: after ?? "" }, findWords(after ?? "", words)),
      ]),
  );
}

/** Where the last of these keys stands, each inside of the one before. */
function findWords(text: string, words: readonly string[]): number {
  return words.reduce((from, word) => Math.max(from, text.indexOf(JSON.stringify(word), from)), 0);
}

function readScripts(text: string | null): readonly InstallScript[] {
  const manifest = text === null ? null : parseObject(text);
  if (manifest === null) return [];
  const { scripts } = manifest;
  const own = isObject(scripts) ? Object.entries(scripts) : [];
  return [
    ...own
      .filter(([name]) => /^(?:pre|post)?install$/u.test(name))
      .map(([name, command]) => ({ name: `${name}: ${String(command)}`, words: ["scripts", name] })),
    ...listInstalling(manifest, [""]),
  ];
}

/** Packages of a lockfile, at any depth. */
function listInstalling(value: Readonly<Record<string, unknown>>, keys: readonly string[]): readonly InstallScript[] {
  const path = keys.at(-1) ?? "";
  const name = path.split("node_modules/").at(-1) ?? path;
  const own = value["hasInstallScript"] === true ? [{ name, words: [...keys.slice(1), "hasInstallScript"] }] : [];
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, inner]) => (isObject(inner) ? listInstalling(inner, [...keys, key]) : [])),
  ];
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/u, ""));
    return isObject(value) ? value : null;
  } catch {
    // Nothing installs what cannot be read.
    return null;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
