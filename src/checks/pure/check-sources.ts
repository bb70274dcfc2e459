import type { CheckTemplate } from "../../records/setup-answers.ts";
import { isRecord } from "../../base/quantity.ts";
import { listJustRecipes, makeTargets } from "./recipe-names.ts";

/** Where test modules of Python lie that can be found without settings. */
export const PYTHON_TEST_FILE = /^tests?\/test[^/]*\.py$/;
/** More test files than this are not read, and then nothing is known of them. */
export const PYTHON_TEST_FILES_MAX = 60;

const USES_UNITTEST = /^\s*(?:import unittest|from unittest(?:\.\w+)* import)\b/m;
const USES_ANOTHER = /^\s*(?:import|from) (?:pytest|nose|nose2|testtools|hypothesis|django)\b/m;

interface PythonFacts {
  readonly testFiles: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * The check of a project whose tests are all written for unittest, which comes with Python. A package in `src` cannot be
 * imported without being installed, and other imports may need another runner: then there is none.
 */
export function findUnittestCheck({ testFiles, folders, texts }: PythonFacts): CheckTemplate | null {
  const modules = [...testFiles].filter((path) => PYTHON_TEST_FILE.test(path));
  const [folder, ...others] = new Set(modules.map((path) => path.slice(0, path.indexOf("/"))));
  if (folder === undefined || others.length > 0 || folders.has("src")) return null;
  const isPlain = modules.every((path) => {
    const text = texts.get(path) ?? "";
    return USES_UNITTEST.test(text) && !USES_ANOTHER.test(text);
  });
  if (!isPlain) return null;
  // Of a package of tests, Python has to know the folder above.
  const top = testFiles.has(`${folder}/__init__.py`) ? ["-t", "."] : [];
  return { id: "test", cmd: "python3", args: ["-m", "unittest", "discover", "-s", folder, ...top] };
}

/**
 * Finds a project's own checks. Only declared ones count: an existing script, recipe or target, or the one test command
 * of a language whose project file exists. A guessed check that fails would be blamed on every change.
 */

export interface ProjectFacts {
  /** The paths that git tracks; where it tracks none, those that it does not ignore. */
  readonly tracked: readonly string[];
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
  readonly testFiles: ReadonlySet<string>;
  readonly texts: ReadonlyMap<string, string>;
}

export interface CheckSource {
  readonly tool: string;
  readonly found: string;
  /** Whether its checks may wrap others: a recipe called `test` usually calls the language's own. */
  readonly wraps: boolean;
  readonly checks: readonly CheckTemplate[];
}

/** In the order in which the programs look for them; just ignores case. */
const JUST_NAMES = [/^justfile$/i, /^\.justfile$/i];
const MAKE_NAMES = [/^GNUmakefile$/, /^makefile$/, /^Makefile$/];

const PYTHON_NAMES = [
  "pyproject.toml",
  "setup.py",
  "setup.cfg",
  "tox.ini",
  "Pipfile",
  "requirements.txt",
  "requirements-dev.txt",
  "requirements_dev.txt",
  "dev-requirements.txt",
  "requirements-test.txt",
];
const OTHER_NAMES = [".gitignore", "package.json", "pnpm-workspace.yaml", "Cargo.toml", ...PYTHON_NAMES];

export function isProjectFile(name: string): boolean {
  return OTHER_NAMES.includes(name) || [...JUST_NAMES, ...MAKE_NAMES].some((pattern) => pattern.test(name));
}

/** The first name is the id of the check; the others are alternatives. */
const SCRIPTS = [["lint"], ["typecheck", "type-check", "check-types", "check:types"], ["test"], ["build"]];
const RECIPES = [...SCRIPTS, ["check"], ["ci"]];

/** In the order in which they may take the plain ids. */
export function checkSources(facts: ProjectFacts): readonly CheckSource[] {
  return [findScriptChecks, findJustChecks, findMakeChecks, findCargoChecks, findGoChecks, findPythonChecks].flatMap(
    (look) => look(facts) ?? [],
  );
}

/** `npm init` writes this where there are no tests; it always fails. */
const NO_TEST = "no test specified";

function findScriptChecks({ files, texts }: ProjectFacts): CheckSource | null {
  const text = texts.get("package.json");
  if (text === undefined) return null;
  const parsed = parseObject(text);
  const manifest = parsed ?? {};
  const tool = findPackageManager(manifest, files);
  const isWorkspace = tool === "pnpm" && /^["']?packages["']?:/m.test(texts.get("pnpm-workspace.yaml") ?? "");
  const declared = readFields(manifest["scripts"]);
  const names = Object.keys(declared).filter((name) => {
    const script = readText(declared[name]);
    return script !== "" && !script.includes(NO_TEST);
  });
  const prefix = isWorkspace ? ["-w", "run"] : ["run"];
  const stray = LOCKFILES.filter(([name, owner]) => owner !== tool && files.has(name)).map(([name]) => name);
  const broken = parsed === null ? ", which is not valid JSON" : "";
  const beside = stray.length === 0 ? broken : `${broken}; ${stray.join(", ")} is there too`;
  const found = `${tool}${isWorkspace ? " workspace" : ""} (package.json${beside})`;
  return makeSource({ tool, found, wraps: false, checks: listNamedChecks(SCRIPTS, new Set(names), prefix) });
}

const LOCKFILES = [
  ["pnpm-lock.yaml", "pnpm"],
  ["pnpm-workspace.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
  ["npm-shrinkwrap.json", "npm"],
] as const;

function findPackageManager(manifest: Fields, files: ReadonlySet<string>): string {
  const engine = readFields(readFields(manifest["devEngines"])["packageManager"])["name"];
  const declared = [manifest["packageManager"], engine]
    .map((text) => /^(?:npm|pnpm|yarn|bun)(?=@|$)/.exec(readText(text))?.[0])
    .find((name) => name !== undefined);
  return declared ?? LOCKFILES.find(([name]) => files.has(name))?.[1] ?? "npm";
}

function findJustChecks({ texts }: ProjectFacts): CheckSource | null {
  return findRecipeChecks("just", JUST_NAMES, texts, listJustRecipes);
}

function findMakeChecks({ texts }: ProjectFacts): CheckSource | null {
  return findRecipeChecks("make", MAKE_NAMES, texts, makeTargets);
}

function findRecipeChecks(
  tool: string,
  names: readonly RegExp[],
  texts: ReadonlyMap<string, string>,
  read: (text: string) => ReadonlySet<string>,
): CheckSource | null {
  const name = names.flatMap((pattern) => [...texts.keys()].filter((candidate) => pattern.test(candidate))).at(0);
  if (name === undefined) return null;
  const checks = listNamedChecks(RECIPES, read(texts.get(name) ?? ""), []);
  return makeSource({ tool, found: `${tool} (${name})`, wraps: true, checks });
}

function findCargoChecks({ files, texts }: ProjectFacts): CheckSource | null {
  if (!files.has("Cargo.toml")) return null;
  // If the root is a package too, cargo would skip the other members.
  const isWorkspace = /^\[workspace\]/m.test(texts.get("Cargo.toml") ?? "");
  const all = isWorkspace ? ["--workspace"] : [];
  const checks = [
    { id: "typecheck", args: ["check", ...all] },
    { id: "test", args: ["test", ...all] },
  ];
  const found = `cargo${isWorkspace ? " workspace" : ""} (Cargo.toml)`;
  return makeSource({ tool: "cargo", found, wraps: false, checks });
}

function findGoChecks({ files }: ProjectFacts): CheckSource | null {
  if (!files.has("go.mod")) return null;
  // Not `go build ./...`: with a single command it leaves the program in the tree.
  const checks = [
    { id: "lint", args: ["vet", "./..."] },
    { id: "test", args: ["test", "./..."] },
  ];
  return makeSource({ tool: "go", found: "go (go.mod)", wraps: false, checks });
}

/** Tests of unittest count only where nothing names another runner or an environment of its own. */
function findPythonChecks(facts: ProjectFacts): CheckSource | null {
  const pytest = findPytestChecks(facts);
  const names = PYTHON_NAMES.filter((name) => facts.files.has(name));
  const isOwn = names.some((name) => /\b(?:pytest|nose2?|tox|nox|hatch|django)\b/i.test(facts.texts.get(name) ?? ""));
  const hasRunner = ["tox.ini", "noxfile.py", "manage.py", ...PYTHON_LOCKFILES.keys()].some((name) =>
    facts.files.has(name),
  );
  if (pytest !== null || names.length === 0 || isOwn || hasRunner) return pytest;
  const check = findUnittestCheck(facts);
  const found = `unittest (${check?.args[4] ?? ""}/)`;
  return check && { tool: "unittest", found, wraps: false, checks: [check] };
}

const PYTHON_LOCKFILES = new Map([
  ["uv.lock", "uv"],
  ["poetry.lock", "poetry"],
  ["pdm.lock", "pdm"],
]);

function findPytestChecks({ files, folders, testFiles, texts }: ProjectFacts): CheckSource | null {
  const settings = [
    ["pyproject.toml", /^\[tool\.pytest\b/m],
    ["setup.cfg", /^\[tool:pytest\]/m],
    ["tox.ini", /^\[pytest\]/m],
  ] as const;
  const configured = settings.find(([name, section]) => section.test(texts.get(name) ?? ""))?.[0];
  const named = ["pytest.ini", ".pytest.ini", "pytest.toml", "conftest.py"].find((name) => files.has(name));
  const among = ["tests/conftest.py", "test/conftest.py"].find((path) => testFiles.has(path));
  // A folder of tests alone may belong to another runner.
  const isNeeded = PYTHON_NAMES.some((name) => /\bpytest\b/.test(texts.get(name) ?? ""));
  const folder = isNeeded ? ["tests", "test"].find((name) => folders.has(name)) : undefined;
  const evidence = configured ?? named ?? among ?? (folder && `${folder}/`);
  if (evidence === undefined) return null;
  const runner = [...PYTHON_LOCKFILES].find(([lockfile]) => files.has(lockfile))?.[1];
  const check = runner === undefined ? { cmd: "pytest", args: [] } : { cmd: runner, args: ["run", "pytest"] };
  const found = `pytest (${evidence})`;
  return { tool: "pytest", found, wraps: false, checks: [{ id: "test", ...check }] };
}

interface PartialSource extends Omit<CheckSource, "checks"> {
  readonly checks: readonly Omit<CheckTemplate, "cmd">[];
}

function makeSource({ checks, ...rest }: PartialSource): CheckSource {
  return { ...rest, checks: checks.map(({ id, args }) => ({ id, cmd: rest.tool, args })) };
}

function listNamedChecks(
  known: readonly (readonly string[])[],
  present: ReadonlySet<string>,
  prefix: readonly string[],
): readonly Omit<CheckTemplate, "cmd">[] {
  return known.flatMap(([id = "", ...others]) => {
    const name = [id, ...others].find((candidate) => present.has(candidate));
    return name === undefined ? [] : [{ id, args: [...prefix, name] }];
  });
}

type Fields = Readonly<Record<string, unknown>>;

function readFields(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

function readText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Package managers accept a byte order mark. */
function parseObject(text: string): Fields | null {
  try {
    return readFields(JSON.parse(text.replace(/^\uFEFF/, "")));
  } catch {
    return null;
  }
}
