/** The package as a person gets it: packed, installed elsewhere without a network, and tried. */
import { execFileSync, spawnSync } from "node:child_process";
import { chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { copyBuilt } from "./copy-built.ts";
import { gitEnvironment } from "./repositories.ts";
import { taskOf } from "./scenario-documents.ts";

const NOT_COPIED = new Set([".git", "node_modules", "dist", ".cache"]);

interface PackedFile {
  readonly path: string;
  readonly size: number;
  readonly mode: number;
}

export interface Packed {
  readonly tarball: string;
  /** Of the tarball. */
  readonly bytes: number;
  readonly files: readonly PackedFile[];
}

/** Packs a copy of the repository with what was built, so that nobody who uses its `dist` meanwhile is disturbed. */
export function pack(root: string, built: string, folder: string): Packed {
  const copy = join(folder, "copy");
  mkdirSync(copy, { recursive: true });
  cpSync(root, copy, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) || path === root });
  copyBuilt(join(built, "relais.cjs"), join(copy, "dist"));
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const answer = execFileSync("npm", args, { cwd: copy, env: npmEnvironment(folder), stdio: "pipe" });
  const [packed]: [{ filename: string; size: number; files: PackedFile[] }] = JSON.parse(answer.toString());
  return { tarball: join(folder, packed.filename), bytes: packed.size, files: packed.files };
}

/** Nothing of the person's settings, and nothing of an npm that may have started us. */
function npmEnvironment(folder: string): Record<string, string> {
  return { ...gitEnvironment(folder), npm_config_cache: join(folder, "npm-cache") };
}

/** Installs the tarball. There are no dependencies, so no registry is asked. */
export function install({ tarball }: Packed, folder: string, ...options: string[]): void {
  mkdirSync(folder, { recursive: true });
  const args = ["install", "--offline", "--no-audit", "--no-fund", ...options, tarball];
  execFileSync("npm", args, { cwd: folder, env: npmEnvironment(folder), stdio: "pipe" });
}

/** How somebody starts relais. */
export interface Starter {
  /** The program with its first arguments. */
  readonly command: readonly [string, ...string[]];
  /** The node that `env node` finds; the one that runs this where nothing else is said. */
  readonly nodeFolder?: string;
  readonly uid?: number;
}

/** What is seen of one walk through the commands. */
export interface Walk {
  readonly version: string;
  readonly init: number | null;
  /** The code of the tick, or whatever was printed instead of a report. */
  readonly code: string;
  readonly edited: string;
  readonly demo: string;
}

const EDITED = "export const answer = 42;\n";

/** What a walk finds where everything works. */
export function goodWalk(version: string): Walk {
  return {
    version: `relais ${version}\n`,
    init: 0,
    code: "SUCCESS",
    edited: EDITED,
    demo: "5 of 5 as expected",
  };
}

/** Goes through `--version`, `init`, `run` and `demo` in a fresh repository below the folder. */
export function walkThrough({ command, nodeFolder, uid }: Starter, folder: string): Walk {
  const box = mkdtempSync(join(folder, "walk-"));
  const root = join(box, "repo");
  for (const place of [box, root, join(box, "home"), join(box, "tmp")]) ownFolder(place, uid);
  const base = gitEnvironment(join(box, "home"));
  const path = nodeFolder === undefined ? base["PATH"] : `${nodeFolder}:${base["PATH"]}`;
  const start = ([program, ...first]: readonly [string, ...string[]], ...args: string[]) =>
    spawnSync(program, [...first, ...args], {
      cwd: root,
      env: { ...base, PATH: path, TMPDIR: join(box, "tmp"), npm_config_offline: "true" },
      encoding: "utf8",
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
  const git = (...args: string[]) => start(["git"], ...args);
  const write = (name: string, text: string) => {
    writeFileSync(join(root, name), text);
    if (uid !== undefined) chownSync(join(root, name), uid, uid);
  };
  git("init", "--quiet");
  ownFolder(join(root, "src"), uid);
  write("src/main.ts", "export const answer = 41;\n");
  const { stdout: version } = start(command, "--version");
  const { status: init } = start(command, "init");
  const config: object = JSON.parse(readFileSync(join(root, "relais.config.json"), "utf8"));
  write("relais.config.json", JSON.stringify({ ...config, builder: { default_mode: "scripted" } }));
  git("add", "--all");
  git("commit", "--quiet", "--message=first");
  const task = join(box, "task.json");
  writeFileSync(task, JSON.stringify(taskOf({ task: { verification: { fast: [], slow: [] } } })));
  const run = start(command, "run", "--task", task, "--json");
  const { stdout: demo } = start(command, "demo", "tick", "--into", join(box, "demo"));
  return {
    version,
    init,
    code: /"code":\s*"(?<code>\w+)"/.exec(run.stdout)?.groups?.["code"] ?? run.stdout + run.stderr,
    edited: readFileSync(join(root, "src/main.ts"), "utf8"),
    demo: /^\d of \d as expected/m.exec(demo)?.[0] ?? demo,
  };
}

function ownFolder(path: string, uid: number | undefined): void {
  mkdirSync(path, { recursive: true });
  if (uid !== undefined) chownSync(path, uid, uid);
}
