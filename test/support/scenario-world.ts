/**
 * The world of one scenario: a repository in a place of its own, and beside it a home, a state directory and a folder
 * for temporary files, so that whatever relais leaves anywhere is seen.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { WORKSPACE_IGNORE } from "../../src/config/workspace-layout.ts";
import { runInProcess } from "./in-process.ts";
import { pinWorld } from "./isolation.ts";
import { executable, type Ran } from "./relais.ts";
import { buildRepository, type Fixture, gitEnvironment, type RepositoryKind } from "./repositories.ts";

export interface World extends Fixture {
  /** Everything of this scenario. */
  readonly box: string;
  /** The folder that is watched: the repository and its neighbours. */
  readonly place: string;
  /** The worktree that relais works in, as an absolute path. */
  readonly root: string;
  readonly git: (...args: string[]) => string;
  readonly put: (files: Readonly<Record<string, string>>) => void;
  readonly read: (path: string) => string;
  readonly has: (path: string) => boolean;
  /** The state directory of the repository; there is none before the first tick. */
  readonly state: () => string;
  /** The workspace folder, from the root. */
  readonly workspace: string;
  /** Runs the tick of the scenario. */
  readonly run: (args?: readonly string[], env?: Variables) => Promise<Ran>;
  /** Starts relais here and leaves it running. */
  readonly start: (args: readonly string[], env?: Variables) => Started;
  /** Loses everything that relais keeps outside the repository. */
  readonly forgetState: () => void;
  /** Runs relais here and waits for its end: in the process of the test, unless the scenario asks for one of its own. */
  readonly relais: (args: readonly string[], env?: Variables) => Promise<Ran>;
  /** The environment that relais starts with here. */
  readonly environment: Variables;
  /** A relais that a scenario has started and left running. */
  other?: Started;
}

interface Started {
  readonly process: ChildProcess;
  readonly ended: Promise<Ran>;
}

export type Variables = Readonly<Record<string, string | undefined>>;

/** A small project with everything that the rules tell apart: in scope, out of scope, locked, secret, ignored. */
const FILES: Readonly<Record<string, string>> = {
  ".gitignore": "dist/\nnode_modules/\n.env*\n*.log\n",
  "README.md": "# Sample\n",
  "package.json": '{ "name": "sample" }\n',
  "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
  "docs/guide.md": "Guide.\n",
  "src/main.ts": "export const answer = 41;\n",
  "src/other.ts": "export const other = 1;\n",
  "tests/main.test.ts": "// tests\n",
  "relais/FACTS.md": "Facts.\n",
};

const IGNORED_FILES: Readonly<Record<string, string>> = {
  ".env": "SECRET=hunter2\n",
  "debug.log": "one line\n",
  "dist/app.js": "built\n",
  "node_modules/dep/index.js": "module.exports = 1;\n",
};

/** The small project, built once and copied for every scenario. It goes when the executable goes. */
function builtTemplate(): string {
  const folder = join(dirname(executable), "template");
  if (!existsSync(folder)) buildTemplate(folder);
  return folder;
}

/** Appears whole or not at all, because several workers may build it at the same time. */
function buildTemplate(place: string): void {
  const folder = mkdtempSync(`${place}-`);
  fillTemplate(folder);
  try {
    renameSync(folder, place);
  } catch (error) {
    rmSync(folder, { recursive: true });
    if (!existsSync(place)) throw error;
  }
}

function fillTemplate(folder: string): void {
  const root = join(folder, "repo");
  mkdirSync(root, { recursive: true });
  const git = gitIn(root, folder);
  git("init", "-q", "--template=", "-b", "work");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  putInto(root, { ...FILES, "relais/.gitignore": WORKSPACE_IGNORE });
  git("add", "-A");
  git("commit", "-qm", "first");
  putInto(root, IGNORED_FILES);
  putInto(folder, { "neighbour/untouched.txt": "nobody writes here\n" });
}

interface WorldRequest {
  readonly kind: RepositoryKind | null;
  /** Committed before the scenario begins. */
  readonly files: Readonly<Record<string, string>>;
  readonly variables: Variables;
  /** The configuration, given the box; a text is taken as it is. */
  readonly config: (box: string) => unknown;
  /** Whether an orchestrator proposes the task, so that none is handed over. */
  readonly isPlanned: boolean;
  /** Whether each relais is a process of its own. */
  readonly ownProcess?: boolean;
  /** Whether it is on a disk, whose times are believed. */
  readonly onDisk?: boolean;
}

/** Usually on a disk, where other temporary folders are in memory. */
const DISK = "/var/tmp";

/** Builds the world; the caller removes its box. */
export function makeWorld(request: WorldRequest): World {
  const { kind, files, variables, config: configOf } = request;
  const box = realpathSync(mkdtempSync(join(request.onDisk === true ? DISK : tmpdir(), "relais-scenario-")));
  const place = join(box, "place");
  const fixture = kind === null ? copied(place) : tidied(buildRepository(kind, place), place);
  const root = join(place, fixture.root);
  const git = gitIn(root, box);
  for (const folder of ["home", "tmp", "bin"]) mkdirSync(join(box, folder));
  const environment: Variables = {
    ...gitEnvironment(join(box, "home")),
    PATH: `${join(box, "bin")}:${process.env["PATH"] ?? ""}`,
    XDG_STATE_HOME: join(box, "state"),
    TMPDIR: join(box, "tmp"),
    ...variables,
  };
  const config = configOf(box);
  const placed = typeof config === "string" ? config : addIsolation(config);
  const configText = typeof placed === "string" ? placed : JSON.stringify(placed, null, 2);
  // Nobody plans without a goal.
  const goal = request.isPlanned ? { "relais/GOAL.md": "Goal.\n" } : {};
  putInto(root, { "relais.config.json": configText, ...goal, ...files });
  git("add", "-A");
  git("commit", "-qm", "the scenario");
  const start: World["start"] = (args, env = {}) => started(args, { cwd: root, env: { ...environment, ...env } });
  const relais: World["relais"] = (args, more = {}) => {
    const env = { ...environment, ...more };
    // Options of Node are read by a new process only.
    const isOwn = request.ownProcess === true || env["NODE_OPTIONS"] !== undefined;
    return isOwn ? start(args, more).ended : runInProcess(args, { cwd: root, env });
  };
  return {
    ...fixture,
    box,
    place,
    root,
    git,
    environment,
    put: (more) => putInto(root, more),
    read: (path) => readFileSync(join(root, path), "utf8"),
    has: (path) => existsSync(join(root, path)),
    state: () => stateDirectory(box),
    workspace: workspaceOf(config),
    start,
    forgetState: () => rmSync(join(box, "state"), { recursive: true }),
    relais,
    run: (args = [], env = {}) => {
      const task = request.isPlanned ? [] : ["--task", join(box, "task.json")];
      return relais(["run", ...task, "--json", ...args], env);
    },
  };
}

function workspaceOf(config: unknown): string {
  const given =
    typeof config === "object" && config !== null && "workspace_dir" in config ? config.workspace_dir : null;
  return typeof given === "string" ? given : "relais";
}

function copied(place: string): Fixture {
  cpSync(builtTemplate(), place, { recursive: true });
  return { root: "repo", worktrees: ["repo"] };
}

/** A repository full of loose ends, with those removed that would keep a tick from beginning. */
function tidied(fixture: Fixture, place: string): Fixture {
  const root = join(place, fixture.root);
  for (const name of ["notes.txt", "scratch", "relais/STATE.json", "relais/lock.json", "relais/history"])
    rmSync(join(root, name), { recursive: true, force: true });
  putInto(root, { "relais/.gitignore": WORKSPACE_IGNORE });
  return fixture;
}

function gitIn(root: string, home: string): World["git"] {
  return (...args) =>
    execFileSync("git", args, { cwd: root, env: gitEnvironment(home), stdio: ["ignore", "pipe", "pipe"] })
      .toString()
      .trim();
}

function putInto(root: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
    if (text.startsWith("#!")) chmodSync(join(root, name), 0o755);
  }
}

function stateDirectory(box: string): string {
  const folder = join(box, "state", "relais");
  const [only] = existsSync(folder) ? readdirSync(folder) : [];
  return join(folder, only ?? "none");
}

function started(args: readonly string[], options: { cwd: string; env: Variables }): Started {
  const child = spawn(process.execPath, [executable, ...args], {
    ...options,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (text: string) => (said[stream] += text));
  const ended = new Promise<Ran>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, ...said }));
  });
  return { process: child, ended };
}

function addIsolation(config: unknown): unknown {
  return typeof config === "object" && config !== null ? pinWorld({ ...config }) : config;
}
