/**
 * A repository in a folder with a neutral name, in which a built relais is run and what it left is copied.
 *
 * The journal names the folder that a tick worked in, and its lines cannot be changed afterwards. So the folder is the
 * same on every machine.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** Where every history is recorded. */
export const HISTORY_ROOT = "/tmp/relais-history";

export interface HistoryStage {
  readonly box: string;
  readonly root: string;
  readonly git: (...args: string[]) => string;
  /** Writes files, named from the box. */
  readonly put: (files: Readonly<Record<string, string | object>>) => void;
  /** Runs relais in the repository and answers with its status and its output. */
  readonly relais: (...args: string[]) => Answer;
  /** Starts relais, waits until this file of the box is there, and kills it without a warning. */
  readonly kill: (whenThereIs: string, ...args: string[]) => Promise<void>;
  readonly state: () => string;
}

interface Answer {
  readonly args: readonly string[];
  readonly status: number | null;
  /** Every line of the output, each a document. */
  readonly documents: readonly unknown[];
}

interface StageRequest {
  readonly executable: string;
  readonly name: string;
  readonly files: Readonly<Record<string, string | object>>;
}

/** Makes a repository with one commit of these files, on a branch that is not protected. */
export function openHistoryStage({ executable, name, files }: StageRequest): HistoryStage {
  const box = join(HISTORY_ROOT, name);
  const root = join(box, "repo");
  rmSync(box, { recursive: true, force: true });
  for (const folder of [root, join(box, "home"), join(box, "tmp")]) mkdirSync(folder, { recursive: true });
  const env = {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    HOME: join(box, "home"),
    TMPDIR: join(box, "tmp"),
    XDG_STATE_HOME: join(box, "state"),
    LC_ALL: "C.UTF-8",
    TZ: "UTC",
  };
  const git: HistoryStage["git"] = (...args) =>
    execFileSync("git", args, { cwd: root, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  const put: HistoryStage["put"] = (more) => putInto(box, more);
  git("init", "--quiet", "--template=", "--initial-branch=work");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  putInto(root, files);
  git("add", "--all");
  git("commit", "--quiet", "--message", "first");
  return {
    box,
    root,
    git,
    put,
    relais: (...args) => {
      const ran = spawnSync(process.execPath, [executable, ...args, "--json"], {
        cwd: root,
        env,
        encoding: "utf8",
      });
      return { args, status: ran.status, documents: documentsIn(ran.stdout) };
    },
    kill: async (whenThereIs, ...args) => {
      const child = spawn(process.execPath, [executable, ...args], { cwd: root, env, stdio: "ignore" });
      const ended = new Promise((resolve) => child.once("close", resolve));
      while (!existsSync(join(box, whenThereIs)) && child.exitCode === null) await delay(20);
      child.kill("SIGKILL");
      await ended;
    },
    state: () => {
      const home = join(box, "state/relais");
      return join(home, readdirSync(home)[0] ?? "none");
    },
  };
}

function putInto(folder: string, files: Readonly<Record<string, string | object>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`);
  }
}

function documentsIn(text: string): readonly unknown[] {
  const lines = text.trim().split("\n");
  try {
    return [JSON.parse(text)];
  } catch {
    return lines.filter((line) => line !== "").map((line): unknown => JSON.parse(line));
  }
}

/** Copies what the stage holds: the commits as text, what lies beside them, and the journal with the work that waits. */
export function copyStage({ root, git, state }: HistoryStage, folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "repository.txt"), git("fast-export", "--all"));
  writeFileSync(join(folder, "branch.txt"), git("branch", "--show-current"));
  const beside = git("ls-files", "--others", "--modified", "-z").split("\0").filter(Boolean);
  for (const path of beside.filter((name) => !name.endsWith("/lock.json")))
    cpSync(join(root, path), join(folder, "worktree", path));
  // Ticks, store and locks serve to put something back or name a process of this machine; nothing is put back here.
  for (const name of ["journal.jsonl", "accepted", "salvage"].filter((part) => existsSync(join(state(), part))))
    cpSync(join(state(), name), join(folder, "state", name), { recursive: true });
}
