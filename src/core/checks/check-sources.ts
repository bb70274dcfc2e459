/**
 * Where a project's own checks can be found, and how each is called.
 *
 * Only what the project itself declares is taken: a script, a recipe or a target that exists, or the one test command
 * of a language whose project file is there. A check that was guessed and fails would be blamed on every change.
 */
import { listJustRecipes, makeTargets } from "./recipe-names.ts";

/** What stands at the root of a repository. */
export interface ProjectFacts {
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
  /** What lies right in a folder of tests, by its path from the root. */
  readonly testFiles: ReadonlySet<string>;
  /** The text of those that are project files. */
  readonly texts: ReadonlyMap<string, string>;
}

/** One check as the configuration holds it. */
export interface CheckTemplate {
  readonly id: string;
  readonly cmd: string;
  readonly args: readonly string[];
}

export interface CheckSource {
  /** The program, which also tells two checks of the same name apart. */
  readonly tool: string;
  /** What was found, for a person. */
  readonly found: string;
  /** Whether the checks may stand for others: a recipe called `test` usually calls the language's own. */
  readonly wraps: boolean;
  readonly checks: readonly CheckTemplate[];
}

/** In the order in which the programs look for them; just takes any case. */
const JUST_NAMES = [/^justfile$/i, /^\.justfile$/i];
const MAKE_NAMES = [/^GNUmakefile$/, /^makefile$/, /^Makefile$/];

/** Where a Python project says what it needs. */
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
const OTHER_NAMES = ["package.json", "pnpm-workspace.yaml", "Cargo.toml", ...PYTHON_NAMES];

/** Whether the text of a file of this name says something about checks. */
export function isProjectFile(name: string): boolean {
  return OTHER_NAMES.includes(name) || [...JUST_NAMES, ...MAKE_NAMES].some((pattern) => pattern.test(name));
}

/** Every check is known by its first name; the others are what some projects call it. */
const SCRIPTS = [["lint"], ["typecheck", "type-check", "check-types", "check:types"], ["test"], ["build"]];
const RECIPES = [...SCRIPTS, ["check"], ["ci"]];

/** Everything that was found, in the order in which it may take the plain names. */
export function checkSources(facts: ProjectFacts): readonly CheckSource[] {
  return [scripts, just, make, cargo, go, pytest].flatMap((look) => look(facts) ?? []);
}

/** What `npm init` writes where there are no tests: it always fails. */
const NO_TEST = "no test specified";

function scripts({ files, texts }: ProjectFacts): CheckSource | null {
  const text = texts.get("package.json");
  if (text === undefined) return null;
  const parsed = objectIn(text);
  const manifest = parsed ?? {};
  const tool = packageManager(manifest, files);
  const isWorkspace = tool === "pnpm" && /^["']?packages["']?:/m.test(texts.get("pnpm-workspace.yaml") ?? "");
  const declared = fieldsOf(manifest["scripts"]);
  const names = Object.keys(declared).filter((name) => {
    const script = textOf(declared[name]);
    return script !== "" && !script.includes(NO_TEST);
  });
  const prefix = isWorkspace ? ["-w", "run"] : ["run"];
  const stray = LOCKFILES.filter(([name, owner]) => owner !== tool && files.has(name)).map(([name]) => name);
  const broken = parsed === null ? ", which is not valid JSON" : "";
  const beside = stray.length === 0 ? broken : `${broken}; ${stray.join(", ")} is there too`;
  const found = `${tool}${isWorkspace ? " workspace" : ""} (package.json${beside})`;
  return source({ tool, found, wraps: false, checks: checksNamed(SCRIPTS, new Set(names), prefix) });
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

/** What the manifest declares, else whose lockfile is there, else npm. */
function packageManager(manifest: Fields, files: ReadonlySet<string>): string {
  const engine = fieldsOf(fieldsOf(manifest["devEngines"])["packageManager"])["name"];
  const declared = [manifest["packageManager"], engine]
    .map((text) => /^(?:npm|pnpm|yarn|bun)(?=@|$)/.exec(textOf(text))?.[0])
    .find((name) => name !== undefined);
  return declared ?? LOCKFILES.find(([name]) => files.has(name))?.[1] ?? "npm";
}

function just({ texts }: ProjectFacts): CheckSource | null {
  return recipes({ tool: "just", names: JUST_NAMES, texts, read: listJustRecipes });
}

function make({ texts }: ProjectFacts): CheckSource | null {
  return recipes({ tool: "make", names: MAKE_NAMES, texts, read: makeTargets });
}

interface RecipeFile {
  readonly tool: string;
  readonly names: readonly RegExp[];
  readonly texts: ReadonlyMap<string, string>;
  readonly read: (text: string) => ReadonlySet<string>;
}

function recipes({ tool, names, texts, read }: RecipeFile): CheckSource | null {
  const name = names.flatMap((pattern) => [...texts.keys()].filter((candidate) => pattern.test(candidate))).at(0);
  if (name === undefined) return null;
  const checks = checksNamed(RECIPES, read(texts.get(name) ?? ""), []);
  return source({ tool, found: `${tool} (${name})`, wraps: true, checks });
}

function cargo({ files, texts }: ProjectFacts): CheckSource | null {
  if (!files.has("Cargo.toml")) return null;
  // Where the root is a package itself, cargo would leave the other members out.
  const isWorkspace = /^\[workspace\]/m.test(texts.get("Cargo.toml") ?? "");
  const all = isWorkspace ? ["--workspace"] : [];
  const checks = [
    { id: "typecheck", args: ["check", ...all] },
    { id: "test", args: ["test", ...all] },
  ];
  const found = `cargo${isWorkspace ? " workspace" : ""} (Cargo.toml)`;
  return source({ tool: "cargo", found, wraps: false, checks });
}

function go({ files }: ProjectFacts): CheckSource | null {
  if (!files.has("go.mod")) return null;
  // Not `go build ./...`: where there is one command only, it leaves the program in the tree.
  const checks = [
    { id: "lint", args: ["vet", "./..."] },
    { id: "test", args: ["test", "./..."] },
  ];
  return source({ tool: "go", found: "go (go.mod)", wraps: false, checks });
}

function pytest({ files, folders, testFiles, texts }: ProjectFacts): CheckSource | null {
  const settings = [
    ["pyproject.toml", /^\[tool\.pytest\b/m],
    ["setup.cfg", /^\[tool:pytest\]/m],
    ["tox.ini", /^\[pytest\]/m],
  ] as const;
  const configured = settings.find(([name, section]) => section.test(texts.get(name) ?? ""))?.[0];
  const named = ["pytest.ini", ".pytest.ini", "pytest.toml", "conftest.py"].find((name) => files.has(name));
  // No other runner has a file of this name.
  const among = ["tests/conftest.py", "test/conftest.py"].find((path) => testFiles.has(path));
  // A folder of tests alone may as well belong to another runner.
  const isNeeded = PYTHON_NAMES.some((name) => /\bpytest\b/.test(texts.get(name) ?? ""));
  const folder = isNeeded ? ["tests", "test"].find((name) => folders.has(name)) : undefined;
  const evidence = configured ?? named ?? among ?? (folder && `${folder}/`);
  if (evidence === undefined) return null;
  const runner = [
    ["uv.lock", "uv"],
    ["poetry.lock", "poetry"],
    ["pdm.lock", "pdm"],
  ].find(([lockfile = ""]) => files.has(lockfile))?.[1];
  const check = runner === undefined ? { cmd: "pytest", args: [] } : { cmd: runner, args: ["run", "pytest"] };
  const found = `pytest (${evidence})`;
  return { tool: "pytest", found, wraps: false, checks: [{ id: "test", ...check }] };
}

interface PartialSource extends Omit<CheckSource, "checks"> {
  readonly checks: readonly Omit<CheckTemplate, "cmd">[];
}

function source({ checks, ...rest }: PartialSource): CheckSource {
  return { ...rest, checks: checks.map(({ id, args }) => ({ id, cmd: rest.tool, args })) };
}

function checksNamed(
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

function fieldsOf(value: unknown): Fields {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? Object.fromEntries(Object.entries(value)) : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Null where it is not JSON. Package managers pass over a byte order mark, so one is no reason. */
function objectIn(text: string): Fields | null {
  try {
    return fieldsOf(JSON.parse(text.replace(/^\uFEFF/, "")));
  } catch {
    return null;
  }
}
