/**
 * A repository with a home, secrets, a state directory and a neighbour, and a builder that is a shell script. Its tick
 * runs through the executable in the sandbox, as root and as an ordinary user: each hides faults of the other.
 */
import { type ChildProcess, type SpawnOptions, execFileSync, spawn } from "node:child_process";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { copyBuilt } from "../support/copy-built.ts";
import { gitEnvironment } from "../support/repositories.ts";
import { executable } from "../support/relais.ts";
import { laidOver, taskOf } from "../support/scenario-documents.ts";
import { readSandboxedPath } from "../support/without-sandbox.ts";

const NOBODY = 65_534;
const own = process.getuid?.() ?? -1;

/** Root and an ordinary user where that can be chosen, else the present user. */
export const USERS =
  own === 0
    ? [
        { name: "root", uid: 0 },
        { name: "an ordinary user", uid: NOBODY },
      ]
    : [{ name: "this user", uid: own }];

export interface BenchRequest {
  readonly uid: number;
  /** What the builder does; `$BOX` is the folder around everything. */
  readonly script: string;
  readonly config?: object;
  /** Relative to the box. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: (box: string) => Readonly<Record<string, string>>;
  /** Who builds, where it is not the script. */
  readonly mode?: string;
  /** The folder that the box is made in. */
  readonly around?: string;
  /** The beginning of the command that starts relais as its user; by default, a new process does. */
  readonly launcher?: (box: string) => readonly string[];
}

export interface Bench {
  readonly box: string;
  readonly read: (path: string) => string;
  readonly has: (path: string) => boolean;
  readonly start: () => ChildProcess;
  /** Runs the tick; answers with its report and with everything that the builder printed. */
  readonly run: () => Promise<{ readonly report: Record<string, unknown>; readonly printed: string }>;
}

const CHECK = { id: "green", cmd: "true" };

export function openBench(request: BenchRequest): Bench {
  const { uid, script, config = {}, files = {}, env, around = tmpdir(), launcher } = request;
  const box = realpathSync(mkdtempSync(join(around, "relais-bench-")));
  onTestFinished(() => rmSync(box, { recursive: true, force: true }));
  const root = join(box, "home/repo");
  const put = (name: string, text: string): void => {
    mkdirSync(dirname(join(box, name)), { recursive: true });
    writeFileSync(join(box, name), text, { mode: text.startsWith("#!") ? 0o755 : 0o600 });
  };
  const relais = join(box, "relais-built", basename(executable));
  copyBuilt(executable, dirname(relais));
  const all = {
    "builder.sh": `#!/bin/sh\n${script}\n`,
    "task.json": JSON.stringify(
      Object(
        taskOf({
          program: "",
          task: {
            scope: { allow_new_files: true },
            verification: { fast: ["green"], slow: [] },
            builder: { mode: request.mode ?? "command" },
          },
        }),
      ),
    ),
    "neighbour/file.txt": "untouched\n",
    "home/.profile": "untouched\n",
    "home/.ssh/id_ed25519": "the secret\n",
    "home/.npmrc": "the secret\n",
    "home/repo/src/main.ts": "export const answer = 41;\n",
    "home/repo/relais.config.json": JSON.stringify(
      laidOver(
        {
          sandbox: "required",
          isolation: "in_place",
          builder: { default_mode: "command", command: { command: join(box, "builder.sh"), args: [] } },
          env: { agents: ["BOX"], checks: ["BOX"] },
          verification: { templates: [CHECK] },
        },
        config,
      ),
    ),
    ...files,
  };
  for (const [name, text] of Object.entries(all)) put(name, text);
  for (const name of ["tmp", "state"]) mkdirSync(join(box, name));
  const environment = {
    ...gitEnvironment(join(box, "home")),
    PATH: readSandboxedPath(),
    TMPDIR: join(box, "tmp"),
    XDG_STATE_HOME: join(box, "state"),
    BOX: box,
    ...env?.(box),
  };
  commitAll({ box, root, environment });
  if (own === 0 && uid !== 0) giveTo(box, uid);
  const args = [relais, "run", "--task", join(box, "task.json"), "--json"];
  const start: Bench["start"] = () => {
    const options: SpawnOptions = { cwd: root, env: environment, stdio: ["ignore", "pipe", "pipe"] };
    const [program, ...before] = launcher?.(box) ?? [];
    if (program !== undefined) return spawn(program, [...before, process.execPath, ...args], options);
    return spawn(process.execPath, args, { ...options, ...(own === 0 ? { uid, gid: uid } : {}) });
  };
  return {
    box,
    read: (path) => readFileSync(join(box, path), "utf8"),
    has: (path) => existsSync(join(box, path)),
    start,
    run: async () => {
      const child = start();
      let said = "";
      child.stdout?.on("data", (chunk: Buffer) => (said += chunk.toString("utf8")));
      await new Promise((resolve) => child.once("close", resolve));
      return { report: JSON.parse(said), printed: readTranscript(box) };
    },
  };
}

interface Committed {
  readonly box: string;
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
}

function commitAll({ box, root, environment }: Committed): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, env: environment, stdio: "pipe" });
  git("init", "-q", "--bare", join(box, "origin.git"));
  git("init", "-q", "-b", "work");
  for (const [key, value] of [
    ["name", "Ada"],
    ["email", "ada@example.org"],
  ] as const)
    git("config", `user.${key}`, value);
  git("remote", "add", "origin", join(box, "origin.git"));
  git("add", "-A");
  git("commit", "-qm", "first");
}

function giveTo(folder: string, uid: number): void {
  execFileSync("chown", ["-R", `${uid}:${uid}`, folder]);
  chownSync(folder, uid, uid);
}

function readTranscript(box: string): string {
  const files = readdirSync(join(box, "state"), { recursive: true, encoding: "utf8" });
  const log = files.find((name) => name.endsWith("/builder.log"));
  return log === undefined ? "" : readFileSync(join(box, "state", log), "utf8");
}

/** Processes whose command line holds a word. */
export function findRunning(word: string): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/u.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(word);
    } catch {
      return false;
    }
  });
}
