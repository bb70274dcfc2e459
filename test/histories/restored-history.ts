/** A recorded history in a place of its own, and a relais of today that is asked about it. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { main } from "../../src/cli/main.ts";
import { findRepository } from "../../src/io/git/repository-layout.ts";
import { findStateDirectory } from "../../src/io/workspace/state-directory.ts";
import { gitEnvironment } from "../support/repositories.ts";
import { scratchFolder } from "../support/scratch-repository.ts";

/** Where histories were recorded. */
const RECORDED_ROOT = "/tmp/relais-history";

export interface RecordedHistory {
  /** The version of relais that wrote it, and the name of the story. */
  readonly id: string;
  readonly name: string;
  readonly folder: string;
}

export interface RestoredHistory {
  readonly box: string;
  readonly root: string;
  /** The state directory of the repository. */
  readonly state: string;
  /** Runs relais in this process, with the words as they stand. */
  readonly relais: (...args: string[]) => Promise<Said>;
}

interface Said {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** The folders of all versions that were recorded. */
export const VERSION_FOLDERS = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && /^\d/.test(entry.name))
  .map(({ name }) => join(import.meta.dirname, name));

/** Every history of every version. */
export const HISTORIES: readonly RecordedHistory[] = VERSION_FOLDERS.flatMap((version) =>
  readdirSync(version)
    .filter((name) => existsSync(join(version, name, "state")))
    .map((name) => ({
      id: join(version, name).slice(import.meta.dirname.length + 1),
      name,
      folder: join(version, name),
    })),
);

/** Builds the repository again, lays the recorded files beside its commits, and puts the journal in its place. */
export async function restoreHistory({ folder }: RecordedHistory): Promise<RestoredHistory> {
  const box = scratchFolder();
  const root = join(box, "repo");
  mkdirSync(root);
  const git = (args: readonly string[], input = ""): void =>
    void execFileSync("git", args, {
      cwd: root,
      env: gitEnvironment(box),
      input,
      stdio: ["pipe", "pipe", "pipe"],
    });
  git(["init", "--quiet", "--template=", "--initial-branch=work"]);
  git(["fast-import", "--quiet"], readFileSync(join(folder, "repository.txt"), "utf8"));
  git(["symbolic-ref", "HEAD", `refs/heads/${readFileSync(join(folder, "branch.txt"), "utf8").trim()}`]);
  git(["reset", "--quiet", "--hard"]);
  if (existsSync(join(folder, "worktree"))) cpSync(join(folder, "worktree"), root, { recursive: true });
  const home = join(box, "state");
  const state = await stateOf(root, home);
  cpSync(join(folder, "state"), state, { recursive: true });
  return { box, root, state, relais: (...args) => ask(args, { root, home }) };
}

async function stateOf(root: string, home: string): Promise<string> {
  const repository = await findRepository(root, {});
  if (repository.kind !== "repository") throw new Error(`there is no repository at ${root}`);
  return findStateDirectory(repository, { XDG_STATE_HOME: home }).path;
}

async function ask(args: readonly string[], { root, home }: { root: string; home: string }): Promise<Said> {
  const said = { out: "", err: "" };
  const into = (stream: "out" | "err") => (text: string | Uint8Array) => {
    said[stream] += Buffer.from(text).toString("utf8");
  };
  const { signal } = new AbortController();
  const status = await main([...args], {
    cwd: root,
    out: into("out"),
    err: into("err"),
    isTerminal: false,
    env: { PATH: process.env["PATH"], HOME: home, XDG_STATE_HOME: home },
    relais: [process.execPath, "relais.cjs"],
    signal,
  });
  return { status, ...said };
}

/** The state directory is named for the path of its repository, by a hash. */
export function withoutStateName(text: string): string {
  return text.replaceAll(/\/repo-[0-9a-f]{16}/g, "/repo-state");
}

/** The documents that relais printed, with the place of the history called as it was when it was recorded. */
export function documentsIn(out: string, { box }: RestoredHistory, name: string): readonly unknown[] {
  const text = withoutStateName(out.replaceAll(box, join(RECORDED_ROOT, name)));
  try {
    return [JSON.parse(text)];
  } catch {
    return text
      .trim()
      .split("\n")
      .filter((line) => line !== "")
      .map((line): unknown => JSON.parse(line));
  }
}
