import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Config } from "../../src/config/config.ts";
import type { Rules } from "../../src/records/evidence.ts";
import { findRepository } from "../../src/git/repository-layout.ts";
import type { Candidate, ChangeView, IsolationName, Workplace } from "../../src/place/workplace.ts";
import { supervise } from "../../src/process/supervise.ts";
import { openWorkplace } from "../../src/place/open-workplace.ts";
import { rules } from "./evidence.ts";
import { gitEnvironment } from "./repositories.ts";

/** Collects by the rules of the fixtures where a test names none. */
interface TestWorkplace extends Workplace {
  readonly change: Omit<ChangeView, "collect"> & {
    readonly collect: (by?: Rules, mounts?: "refuse" | "unchanged") => Promise<Candidate>;
  };
}

export interface Place {
  readonly root: string;
  readonly state: string;
  readonly write: (path: string, text: string) => void;
  readonly read: (path: string) => string;
  readonly git: (...args: string[]) => string;
  readonly open: (
    isolation?: IsolationName,
    config?: Pick<Config, "runner" | "workspace_dir" | "history">,
  ) => Promise<TestWorkplace>;
}

/** A small repository with tracked, untracked and ignored files, and a state directory beside it. */
export function place(files: Readonly<Record<string, string>> = {}): Place {
  const box = realpathSync(mkdtempSync(join(tmpdir(), "relais-place-")));
  onTestFinished(() => rmSync(box, { recursive: true, force: true }));
  const root = join(box, "repo");
  const state = join(box, "state");
  mkdirSync(root);
  mkdirSync(state, { mode: 0o700 });
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: root, env: gitEnvironment(box), encoding: "utf8" });
  git("init", "--quiet");
  for (const [path, text] of Object.entries({ ...BASE, ...files })) write(path, text);
  git("add", "--all");
  git("commit", "--quiet", "--message=base");
  write("notes.txt", "mine\n");
  write("dist/out.js", "built\n");
  return {
    root,
    state,
    write,
    read: (path) => readFileSync(join(root, path), "utf8"),
    git,
    open: (isolation = "in_place", config) =>
      open({ root, state, ...(config === undefined ? {} : { config }) }, isolation),
  };
}

const BASE = { "src/a.ts": "one\ntwo\n", "src/b.ts": "b\n", "README.md": "# r\n", ".gitignore": "dist/\n" };

interface OpenedFolders {
  readonly root: string;
  readonly state: string;
  readonly config?: Pick<Config, "runner" | "workspace_dir" | "history">;
}

async function open(
  { root, state: stateDirectory, ...rest }: OpenedFolders,
  isolation: IsolationName,
): Promise<TestWorkplace> {
  const repository = await findRepository(root, process.env);
  if (repository.kind !== "repository") throw new Error("the fixture is no repository");
  const own = { runId: RUN_ID, ownBranch: `relais/${RUN_ID}`, ownFolder: "relais", marker: "test-place" };
  const options = { repository, stateDirectory, runDirectory: stateDirectory, userExcludesFile: null, ...own, ...rest };
  const workplace = await openWorkplace(isolation, options);
  onTestFinished(() => workplace.place.close());
  const { change } = workplace;
  return { ...workplace, change: { ...change, collect: (by = rules(), mounts) => change.collect(by, mounts) } };
}

const RUN_ID = "20260101T000000Z-0123abcd";

/** Runs a shell script as a program of the tick does, in its place. */
export async function build({ place: { cwd, enclosure } }: Workplace, script: string): Promise<string> {
  const end = await supervise({
    program: "/bin/sh",
    args: ["-c", script],
    cwd,
    enclosure,
    env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", GIT_OPTIONAL_LOCKS: "0" },
    input: null,
    log: null,
    deadlineMs: 30_000,
    outputBytesMax: 1_000_000,
    stdoutBytesMax: 100_000,
    stderrBytesMax: 100_000,
  });
  return `${end.stdout.toString("utf8")}${end.stderr.toString("utf8")}`;
}

/**
 * Puts a `git` of our own first on the PATH: it notes each call and then does as told, by default what git does.
 * `"$@"` are the arguments; the real program is `$GIT`.
 */
export function gitShim(body = 'exec "$GIT" "$@"'): { readonly calls: () => readonly string[] } {
  const folder = mkdtempSync(join(tmpdir(), "relais-shim-"));
  const log = join(folder, "log");
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const command = 'while [ "$1" = -c ]; do shift 2; done; echo "$1"';
  writeFileSync(join(folder, "git"), `#!/bin/sh\nGIT=${real}\n( ${command} ) >> ${log}\n${body}\n`);
  chmodSync(join(folder, "git"), 0o755);
  const path = process.env["PATH"];
  process.env["PATH"] = `${folder}:${path}`;
  onTestFinished(() => {
    process.env["PATH"] = path;
    rmSync(folder, { recursive: true, force: true });
  });
  return { calls: () => (existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean) : []) };
}
