import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { relais } from "../support/relais.ts";
import { scratchFolder, scratchRepository } from "../support/scratch-repository.ts";

const MODES = [["judge"], ["judge", "--staged"], ["judge", "--range", "HEAD~1..HEAD"]];

/** A repository with two commits and something staged, unstaged and untracked. */
function busyRepository() {
  const repository = scratchRepository({ "a.txt": "1\n", "b.txt": "1\n" });
  repository.commit({ "a.txt": "2\n" });
  repository.put({ "a.txt": "3\n" });
  repository.git("add", "a.txt");
  repository.put({ "b.txt": "2\n", "c.txt": "1\n" });
  return repository;
}

test("nothing that the repository or the environment names is run", async () => {
  const { box, root, git, put, commit } = busyRepository();
  const mark = join(box, "mark");
  const program = join(box, "program");
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> ${mark}\ncat "$1" 2>/dev/null\n`, { mode: 0o755 });
  commit({ ".gitattributes": "*.txt diff=shown\n" });
  put({ "a.txt": "4\n", "d.txt": "1\n" });
  git("add", "a.txt");
  const hooks = join(root, ".git/hooks");
  const names = ["post-index-change", "reference-transaction", "pre-commit", "post-checkout", "fsmonitor-watchman"];
  for (const name of names) writeFileSync(join(hooks, name), `#!/bin/sh\necho ${name} >> ${mark}\n`, { mode: 0o755 });
  const settings = {
    "core.fsmonitor": program,
    "core.hooksPath": hooks,
    "diff.external": program,
    "diff.shown.textconv": program,
    "diff.shown.command": program,
    "core.pager": program,
    "core.editor": program,
    "core.sshCommand": program,
    "gpg.program": program,
    "uploadpack.packObjectsHook": program,
    "alias.diff-tree": `!${program}`,
    "credential.helper": program,
    "core.worktree": box,
    "core.attributesFile": join(box, "absent"),
  };
  for (const [key, value] of Object.entries(settings)) git("config", key, value);
  const other = scratchRepository({ "other.txt": "1\n" });
  const env = {
    GIT_DIR: join(other.root, ".git"),
    GIT_WORK_TREE: other.root,
    GIT_INDEX_FILE: join(other.root, ".git/index"),
    GIT_EXTERNAL_DIFF: program,
    GIT_PAGER: program,
    GIT_SSH_COMMAND: program,
  };
  for (const args of MODES) {
    const { status, stdout, stderr } = await relais([...args, "--json"], { cwd: root, env });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).not.toContain("other.txt");
  }
  expect(existsSync(mark)).toBe(false);
});

test("nothing in the repository is written, and no temporary folder is left behind", async () => {
  const { root } = busyRepository();
  const temporary = scratchFolder();
  const before = fingerprint(root);
  for (const args of [...MODES, ["judge", "--base", "nowhere"]]) {
    await relais(args, { cwd: root, env: { TMPDIR: temporary } });
  }
  expect(fingerprint(root)).toEqual(before);
  expect(readdirSync(temporary)).toEqual([]);
});

/** Every entry with its type, mode, content and times; git may renew the time of an object that it was told to store. */
function fingerprint(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .toSorted()
    .map((path) => {
      const entry = lstatSync(join(folder, path), { bigint: true });
      const content = entry.isFile() ? readFileSync(join(folder, path), "base64") : "";
      const isObject = entry.isFile() && path.startsWith(".git/objects/");
      const times = isObject ? [] : [entry.mtimeNs, entry.ctimeNs];
      return [path, entry.mode, entry.size, ...times, content].join(" ");
    });
}

test("of unchanged files not even the time of an object is renewed", async () => {
  const { root } = scratchRepository({ "a.txt": "1\n", "b/c.txt": "2\n" });
  // Git stores a file that is as young as its index once more, to be sure.
  for (const path of ["a.txt", "b/c.txt"]) utimesSync(join(root, path), 1e9, 1e9);
  const objects = () =>
    readdirSync(join(root, ".git/objects"), { recursive: true, encoding: "utf8" }).map((path) => {
      const { mtimeNs, ctimeNs } = lstatSync(join(root, ".git/objects", path), { bigint: true });
      return [path, mtimeNs, ctimeNs].join(" ");
    });
  const before = objects();
  for (const args of [["judge"], ["judge", "--staged"]]) expect((await relais(args, { cwd: root })).status).toBe(0);
  expect(objects()).toEqual(before);
});

/** A folder with a git that writes down each call and then does what it was asked. */
function countingGit(): { readonly path: string; readonly calls: () => readonly string[] } {
  const folder = scratchFolder();
  const log = join(folder, "log");
  const real = execFileSync("/bin/sh", ["-c", "command -v git"]).toString().trim();
  const script = `#!/bin/sh\nfor word; do case "$word" in -c|*=*) ;; *) echo "$word" >> ${log}; break;; esac; done\nexec ${real} "$@"\n`;
  writeFileSync(join(folder, "git"), script, { mode: 0o755 });
  return {
    path: `${folder}${delimiter}${process.env["PATH"]}`,
    calls: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []),
  };
}

test.each([
  [["judge"], ["--version", "add", "config", "diff-index", "update-index", "update-index"]],
  [
    ["judge", "--staged"],
    ["--version", "diff-index"],
  ],
  [
    ["judge", "--range", "HEAD~1..HEAD"],
    ["--version", "diff-tree", "rev-parse"],
  ],
  [
    ["judge", "--range", "HEAD~1..HEAD", "--json"],
    ["--version", "diff-tree", "rev-parse"],
  ],
  [["explain", "SUCCESS"], []],
])("%j starts no more git processes than it needs", async (args, expected) => {
  const { root } = busyRepository();
  const { path, calls } = countingGit();
  expect((await relais(args, { cwd: root, env: { PATH: path } })).status).toBe(0);
  expect(calls().toSorted()).toEqual(expected);
});

const failing = (script: string) => {
  const folder = scratchFolder();
  writeFileSync(join(folder, "git"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return folder;
};
const REAL_GIT = execFileSync("/bin/sh", ["-c", "command -v git"]).toString().trim();
const FAILS_AT = (command: string, how: string) =>
  `case " $* " in *" ${command} "*) ${how};; esac\nexec ${REAL_GIT} "$@"`;

/** Objects of another repository: git is asked for them. */
function lendObjects(root: string): void {
  const own = join(root, ".git/objects");
  const lent = join(scratchFolder(), "objects");
  renameSync(own, lent);
  mkdirSync(join(own, "info"), { recursive: true });
  writeFileSync(join(own, "info/alternates"), `${lent}\n`);
}

test.each(
  ["rev-parse", "config", "update-index", "add", "diff-index", "cat-file"].flatMap((command) => [
    [command, "kill -9 $$"] as const,
    [command, "exit 3"] as const,
    [command, `${REAL_GIT} "$@" </dev/null | head -c 20; kill -9 $$`] as const,
  ]),
)("when git %s ends with %j there is no verdict but a stop", async (command, how) => {
  const { root } = busyRepository();
  if (command === "cat-file") lendObjects(root);
  // Git is asked for a revision that is not HEAD.
  const args = command === "rev-parse" ? ["judge", "--json", "--base", "HEAD~0"] : ["judge", "--json"];
  const path = `${failing(FAILS_AT(command, how))}${delimiter}${process.env["PATH"]}`;
  const { status, stdout } = await relais(args, { cwd: root, env: { PATH: path } });
  expect(status).toBe(10);
  expect(JSON.parse(stdout)).toMatchObject({
    verdict: "stop",
    code: "STOP_INTERRUPTED",
    cause: "measurement_failed",
  });
});

test("without git there is no verdict, in the document either", async () => {
  const { root } = busyRepository();
  const { status, stdout } = await relais(["judge", "--json"], { cwd: root, env: { PATH: scratchFolder() } });
  expect(status).toBe(11);
  expect(JSON.parse(stdout)).toMatchObject({
    verdict: "blocked",
    code: "BLOCKED_MISSING_CONFIG",
    cause: "git_missing",
    remedy: expect.stringContaining("Install git"),
  });
});

test("a git that the change brings is not run, wherever the PATH leads to it", async () => {
  const { box, root, put } = busyRepository();
  const mark = join(box, "mark");
  const program = `#!/bin/sh\necho "$0" >> ${mark}\nexec ${REAL_GIT} "$@"\n`;
  const folders = ["node_modules/.bin", "tools"];
  for (const folder of folders) {
    put({ [`${folder}/git`]: program });
    chmodSync(join(root, folder, "git"), 0o755);
  }
  mkdirSync(join(box, "node_modules/.bin"), { recursive: true });
  writeFileSync(join(box, "node_modules/.bin/git"), program, { mode: 0o755 });
  symlinkSync(join(root, "tools"), join(box, "linked"));
  mkdirSync(join(box, "single"));
  symlinkSync(join(root, "tools/git"), join(box, "single/git"));
  const entries = [
    join(root, "node_modules/.bin"),
    join(root, "tools"),
    join(box, "node_modules/.bin"),
    join(box, "linked"),
    join(box, "single"),
    "tools",
    "",
    ".",
  ];
  for (const entry of entries) {
    const env = { PATH: `${entry}${delimiter}${process.env["PATH"]}` };
    const { status, stdout } = await relais(["judge", "--forbid", "tools/**", "--json"], { cwd: root, env });
    expect({ entry, status }).toEqual({ entry, status: 10 });
    expect(stdout).toContain("tools/git");
    expect((await relais(["judge", "--staged"], { cwd: join(root, "tools"), env })).status).toBe(0);
  }
  // A relative entry means one thing where relais is started and another where git is.
  mkdirSync(join(box, "tools"));
  writeFileSync(join(box, "tools/git"), program, { mode: 0o755 });
  const env = { PATH: `tools${delimiter}${process.env["PATH"]}` };
  expect((await relais(["judge", "--staged", "--cwd", root], { cwd: box, env })).status).toBe(0);
  expect(existsSync(mark)).toBe(false);
});

test("settings that make git overlook modes, links and the case of names hide nothing", async () => {
  const { root, git, put } = scratchRepository({ "README.md": "1\n", "tool.sh": "1\n" });
  symlinkSync("README.md", join(root, "link"));
  git("add", "--all");
  git("commit", "--quiet", "--message", "a link");
  git("config", "core.fileMode", "false");
  git("config", "core.symlinks", "false");
  git("config", "core.ignoreCase", "true");
  chmodSync(join(root, "tool.sh"), 0o755);
  rmSync(join(root, "link"));
  put({ link: "README.md", "readme.md": "2\n" });
  const { stdout } = await relais(["judge", "--json"], { cwd: root });
  expect(JSON.parse(stdout)).toMatchObject({ touched_paths: ["link", "readme.md", "tool.sh"] });
});

test("a temporary folder that cannot be used is a stop, not an empty judgement", async () => {
  const { root } = busyRepository();
  const { status, stderr } = await relais(["judge"], { cwd: root, env: { TMPDIR: "/nonexistent/place" } });
  expect(status).toBe(10);
  expect(stderr).toMatch(/^stop STOP_INTERRUPTED: .*ENOENT/);
});

const own = (path: string) => chownSync(path, 65_534, 65_534);

test.runIf(process.getuid?.() === 0)(
  "what may not be read stops: a file, and a folder that git only warns about",
  async () => {
    const { box, root, put } = scratchRepository({ "a.txt": "1\n" });
    put({ "locked.txt": "1\n" });
    chmodSync(box, 0o755);
    const judge = () => relais(["judge"], { cwd: root, uid: 65_534 });
    for (const path of readdirSync(box, { recursive: true, encoding: "utf8" })) own(join(box, path));
    expect((await judge()).status).toBe(0);
    chmodSync(join(root, "locked.txt"), 0);
    expect((await judge()).stderr).toMatch(
      /^stop STOP_INTERRUPTED: git add could not be measured: .*locked\.txt.*Permission denied/s,
    );
    chmodSync(join(root, "locked.txt"), 0o644);
    mkdirSync(join(root, "closed"));
    own(join(root, "closed"));
    put({ "closed/hidden.txt": "1\n" });
    chmodSync(join(root, "closed"), 0);
    expect((await judge()).stderr).toMatch(
      /^stop STOP_INTERRUPTED: the working tree could not be measured: .*closed.*Permission denied/,
    );
    expect((await judge()).status).toBe(10);
  },
);
