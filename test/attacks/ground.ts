/**
 * What an attack finds: in a box a repository of its kind and, around it, all that nobody may touch: a remote, a neighbour,
 * a home, another program's state. Whatever changes in any of these is seen.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { AROUND_FILES, IGNORED_FILES, STAGE_FILES } from "../../src/drill/pure/drill-stage.ts";
import type { HostileBuilder } from "../../src/drill/pure/hostile-builder.ts";
import { buildRepository, gitEnvironment, isRepositoryKind } from "../support/repositories.ts";

/** Paths are from the box. */
export interface Ground {
  readonly root: string;
  /** The folder of git's own data. */
  readonly gitData: string;
  readonly worktrees: readonly string[];
}

export const STAGE = "stage";
const ON_STAGE: Ground = { root: "place/repo", gitData: "place/repo/.git", worktrees: ["place/repo"] };

export function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
    if (text.startsWith("#!")) chmodSync(join(folder, name), 0o755);
  }
}

/** Builds it at a path that does not exist yet. */
export function layGround(kind: string, box: string): Ground {
  const ground = kind === STAGE ? layStage(box) : layRepository(kind, box);
  for (const name of ["home", "tmp", "pids"]) mkdirSync(join(box, name), { recursive: true });
  put(box, AROUND_FILES);
  return ground;
}

function layStage(box: string): Ground {
  const root = join(box, ON_STAGE.root);
  mkdirSync(root, { recursive: true });
  const git = (...args: string[]): void => {
    execFileSync("git", args, { cwd: root, env: gitEnvironment(box), stdio: ["ignore", "ignore", "pipe"] });
  };
  git("init", "-q", "--bare", "../origin.git");
  git("init", "-q", "--template=", "-b", "work");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  put(root, STAGE_FILES);
  git("add", "-A");
  git("commit", "-qm", "first");
  git("remote", "add", "origin", "../origin.git");
  git("push", "-q", "origin", "work");
  git("tag", "v1");
  git("branch", "other");
  put(root, { "docs/guide.md": "Guide, second edition.\n" });
  git("stash", "-q");
  put(root, IGNORED_FILES);
  return ON_STAGE;
}

function layRepository(kind: string, box: string): Ground {
  if (!isRepositoryKind(kind)) throw new Error(`there is no repository of the kind ${kind}`);
  const { root, worktrees } = buildRepository(kind, join(box, "place"));
  return {
    root: `place/${root}`,
    gitData: kind === "git-file" ? "place/elsewhere.git" : "place/repo/.git",
    worktrees: worktrees.map((name) => `place/${name}`),
  };
}

/** Their git data holds absolute paths, so they work where they were built and nowhere else. */
const FIXED: readonly string[] = ["git-file", "linked-worktree", "main-worktree"];

/** Lays grounds from templates below a folder, each built once. */
export function keepGrounds(folder: string): typeof layGround {
  const templates = new Map<string, Ground>();
  return (kind, box) => {
    if (FIXED.includes(kind)) return layGround(kind, box);
    const template = join(folder, kind);
    const ground = templates.get(kind) ?? layGround(kind, template);
    templates.set(kind, ground);
    execFileSync("cp", ["-a", template, box]);
    return ground;
  };
}

/** What an attack may know of its surroundings: a mark that nothing may ever make, and a place for process ids. */
export function environmentIn(box: string, { env }: Pick<HostileBuilder, "env">): Record<string, string> {
  const usual = process.env["PATH"] ?? "/usr/bin:/bin";
  return {
    ...gitEnvironment(join(box, "home")),
    XDG_STATE_HOME: join(box, "state"),
    TMPDIR: join(box, "tmp"),
    MARK: join(box, "home/mark"),
    PIDS: join(box, "pids"),
    HOSTILE: box,
    // `$PATH` in a variable of an attack is the usual one.
    ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replaceAll("$PATH", usual)])),
  };
}
