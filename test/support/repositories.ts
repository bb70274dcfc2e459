/**
 * Real repositories, built by real git, with everything in them that a careless observer overlooks.
 *
 * A fixture lives in a box: a folder with the repository in `repo`, a bare `origin.git`, and a neighbour that nobody may
 * touch. Some repositories hold absolute paths, so a box is always built, copied and used at one and the same path.
 */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** One built box: which folder in it a tick works on, and where git is to be asked for its view. */
export interface Fixture {
  readonly root: string;
  readonly worktrees: readonly string[];
}

/** The environment of a git that knows nothing of the person or the machine. */
export function gitEnvironment(home: string): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: home,
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_EDITOR: "true",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.org",
    GIT_AUTHOR_DATE: "2024-02-03T04:05:06Z",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
    GIT_COMMITTER_DATE: "2024-02-03T04:05:06Z",
    GIT_CONFIG_COUNT: "4",
    GIT_CONFIG_KEY_0: "init.defaultBranch",
    GIT_CONFIG_VALUE_0: "main",
    GIT_CONFIG_KEY_1: "protocol.file.allow",
    GIT_CONFIG_VALUE_1: "always",
    GIT_CONFIG_KEY_2: "gc.auto",
    GIT_CONFIG_VALUE_2: "0",
    GIT_CONFIG_KEY_3: "advice.detachedHead",
    GIT_CONFIG_VALUE_3: "false",
  };
}

function git(cwd: string, ...args: string[]): void {
  execFileSync("git", args, { cwd, env: gitEnvironment(dirname(cwd)), stdio: ["ignore", "ignore", "pipe"] });
}

function put(root: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

/** A name that is not text goes through here, since its bytes would not survive a string. */
function putRawName(root: string, name: readonly number[], text: string): void {
  try {
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name)]), text);
  } catch (error) {
    // Some file systems accept text only; there the name cannot be met in a repository either.
    if (process.platform === "linux") throw error;
  }
}

const TRACKED: Record<string, string> = {
  ".gitignore": "dist/\nnode_modules/\n.env*\n*.log\n",
  "README.md": "# Sample\n\nA small project.\n",
  "package.json": '{ "name": "sample", "private": true }\n',
  "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
  "src/main.ts": "export const answer = 41;\n",
  "src/lib/util.ts": "export const double = (n: number) => n * 2;\n",
  "src/lib/[id].ts": "export const id = 1;\n",
  "src/lib/na\u00EFve caf\u00E9.ts": "export const cafe = true;\n",
  "tests/main.test.ts": "// tests\n",
  "docs/guide.md": "Guide, part one.\n",
  "docs/line\nbreak.txt": "a name of two lines\n",
  "scripts/run.sh": "#!/bin/sh\necho run\n",
  "keys/private.pem": "not a real key\n",
  "relais.config.json": "{}\n",
  "relais/.gitignore": "STATE.json\nREPORT.json\nREPORT.md\nlock.json\nhistory/\n.tmp/\n",
  "relais/FACTS.md": "Facts.\n",
  "relais/prompts/build.md": "Build.\n",
};

const NOT_TRACKED: Record<string, string> = {
  ".env": "SECRET=hunter2\n",
  "node_modules/dep/index.js": "module.exports = 1;\n",
  "node_modules/.bin/tool": "#!/bin/sh\n",
  "dist/app.js": "built\n",
  "debug.log": "one line\n",
  "notes.txt": "my own notes\n",
  "scratch/idea.md": "an idea\n",
  "scratch/run.log": "ignored, in a folder that is not\n",
  "relais/STATE.json": '{ "version": 1 }\n',
  "relais/lock.json": '{ "run_id": "r1" }\n',
  "relais/history/r1/report.json": "{}\n",
};

function addFiles(root: string): void {
  put(root, TRACKED);
  putRawName(join(root, "docs"), [0x62, 0x61, 0x64, 0xff, 0x2e, 0x74, 0x78, 0x74], "bytes\n");
  symlinkSync("lib/util.ts", join(root, "src/current"));
  symlinkSync("guide.md", join(root, "docs/latest"));
  chmodSync(join(root, "scripts/run.sh"), 0o755);
  chmodSync(join(root, "keys/private.pem"), 0o600);
}

function initialise(root: string, ...options: string[]): void {
  mkdirSync(root, { recursive: true });
  git(root, "init", "-q", "--template=", ...options);
  const gitDir = options.length === 0 ? join(root, ".git") : (options.at(-1) ?? "");
  put(gitDir, {
    "info/exclude": "*.swp\n",
    "hooks/pre-commit.sample": "#!/bin/sh\nexit 0\n",
    description: "Sample\n",
  });
}

/** History with both kinds of refs and both kinds of objects, a stash, a tag of each kind, reflogs and a remote. */
function addHistory(root: string): void {
  git(root, "add", "-A");
  git(root, "commit", "-qm", "first");
  git(root, "tag", "light");
  git(root, "tag", "-a", "v1", "-m", "version one");
  git(root, "branch", "side");
  git(root, "switch", "-qc", "topic");
  appendFileSync(join(root, "src/main.ts"), "export const topic = 1;\n");
  git(root, "commit", "-qam", "topic");
  git(root, "switch", "-q", "main");
  git(root, "clone", "-q", "--bare", "--no-hardlinks", ".", "../origin.git");
  git(root, "remote", "add", "origin", "../origin.git");
  git(root, "fetch", "-q", "origin");
  git(root, "pack-refs", "--all");
  git(root, "repack", "-adq");
  appendFileSync(join(root, "src/main.ts"), "export const more = 2;\n");
  git(root, "commit", "-qam", "second");
  git(root, "branch", "late");
  appendFileSync(join(root, "docs/guide.md"), "A thought for later.\n");
  git(root, "stash", "push", "-q");
}

function addLooseEnds(root: string): void {
  put(root, NOT_TRACKED);
  chmodSync(join(root, ".env"), 0o600);
  mkdirSync(join(root, "empty"));
}

function plain(box: string, ...options: string[]): Fixture {
  const root = join(box, "repo");
  initialise(root, ...options);
  addFiles(root);
  addHistory(root);
  addLooseEnds(root);
  return { root: "repo", worktrees: ["repo"] };
}

/** Files that git stores differently from how they lie in the worktree. */
function converted(box: string, attributes: string, config: readonly (readonly [string, string])[]): Fixture {
  const root = join(box, "repo");
  initialise(root);
  for (const [key, value] of config) git(root, "config", key, value);
  put(root, {
    ...TRACKED,
    "src/data.dat": "plain: one\n",
    "docs/page.txt": "one\r\ntwo\r\n",
    "src/page.ts": "1\r\n2\r\n",
  });
  if (attributes !== "") put(root, { ".gitattributes": attributes });
  addHistory(root);
  // What lies in the worktree is what a checkout would write.
  for (const name of readdirSync(root)) if (name !== ".git") rmSync(join(root, name), { recursive: true });
  git(root, "checkout", "-q", "--", ".");
  addLooseEnds(root);
  return { root: "repo", worktrees: ["repo"] };
}

function submodule(box: string): Fixture {
  const dependency = join(box, "dependency");
  initialise(dependency);
  put(dependency, { "lib.c": "int one;\n" });
  git(dependency, "add", "-A");
  git(dependency, "commit", "-qm", "dependency");
  const fixture = plain(box);
  const root = join(box, "repo");
  git(root, "submodule", "--quiet", "add", "../dependency", "libs/dep");
  git(root, "commit", "-qm", "with a submodule");
  return { ...fixture, worktrees: ["repo", "repo/libs/dep"] };
}

function worktree(box: string, root: "repo" | "linked"): Fixture {
  plain(box);
  git(join(box, "repo"), "worktree", "add", "-q", "../linked", "side");
  addLooseEnds(join(box, "linked"));
  return { root, worktrees: ["repo", "linked"] };
}

function nested(box: string): Fixture {
  const fixture = plain(box);
  for (const name of ["repo/vendored", "repo/dist/tool", "repo/node_modules/linked"]) {
    const inner = join(box, name);
    initialise(inner);
    put(inner, { "inner.txt": "inner\n", "build.log": "ignored by the outer rules\n" });
    git(inner, "add", "-f", "inner.txt");
    git(inner, "commit", "-qm", "inner");
  }
  return { ...fixture, worktrees: ["repo", "repo/vendored", "repo/dist/tool", "repo/node_modules/linked"] };
}

function sparse(box: string): Fixture {
  const fixture = plain(box);
  git(join(box, "repo"), "sparse-checkout", "set", "src", "tests", "relais", "docs");
  return fixture;
}

/** A repository of somebody else, as root in a container meets it. */
function foreign(box: string): Fixture {
  const fixture = plain(box);
  execFileSync("chown", ["-hR", "1234:1235", join(box, "repo")]);
  return fixture;
}

const BUILDERS = {
  plain,
  filter: (box) =>
    converted(box, "*.dat filter=store\n", [
      ["filter.store.clean", "sed s/^plain:/stored:/"],
      ["filter.store.smudge", "sed s/^stored:/plain:/"],
      ["filter.store.required", "true"],
    ]),
  crlf: (box) => converted(box, "* text=auto eol=crlf\n", []),
  autocrlf: (box) => converted(box, "", [["core.autocrlf", "true"]]),
  submodule,
  "linked-worktree": (box) => worktree(box, "linked"),
  "main-worktree": (box) => worktree(box, "repo"),
  nested,
  sparse,
  "git-file": (box) => plain(box, "--separate-git-dir", join(box, "elsewhere.git")),
  foreign,
} as const satisfies Record<string, (box: string) => Fixture>;

export type RepositoryKind = keyof typeof BUILDERS;

export function isRepositoryKind(name: string): name is RepositoryKind {
  return Object.hasOwn(BUILDERS, name);
}

/** Every kind that can be built, in a stable order. */
export const REPOSITORY_KINDS: readonly RepositoryKind[] = Object.keys(BUILDERS).filter(isRepositoryKind);

/** Builds a box of one kind at a path that does not exist yet. */
export function buildRepository(kind: RepositoryKind, box: string): Fixture {
  if (existsSync(box)) throw new Error(`there is something at ${box} already`);
  put(box, { "neighbour/untouched.txt": "nobody writes here\n" });
  return BUILDERS[kind](box);
}
