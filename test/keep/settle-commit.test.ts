import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitIdentity } from "../../src/store/commit-identity.ts";
import { commitAccepted, type CommitOutcome } from "../../src/keep/settle-commit.ts";
import { linkedWorktree, owned, work, type Worked } from "../support/settling.ts";

async function committed(worked: Worked): Promise<Extract<CommitOutcome, { kind: "committed" }>> {
  const outcome = await commitAccepted(worked.request);
  if (outcome.kind !== "committed") throw new Error(JSON.stringify(outcome));
  expect(worked.scratch.git("rev-parse", "HEAD")).toBe(outcome.commit);
  expect(worked.scratch.git("rev-parse", "HEAD^")).toBe(worked.base);
  expect(existsSync(join(worked.repository.gitDir, "index.lock"))).toBe(false);
  expect(worked.scratch.git("fsck", "--strict", "--no-dangling")).toBe("");
  return outcome;
}

const changedIn = ({ scratch }: Worked): string[] =>
  scratch.git("diff-tree", "-r", "--no-commit-id", "--name-status", "--no-renames", "HEAD").split("\n");

test("the commit holds exactly the judged paths and leaves a clean tree", async () => {
  const scratch = owned({
    "src/a.ts": "one\n",
    "src/gone.ts": "x\n",
    "run.sh": "#!/bin/sh\n",
    "turns/into": "a file\n",
    was: "a file\n",
    link: "not yet\n",
    ".gitignore": "dist/\n*.log\n",
  });
  scratch.put({ "kept.log": "tracked although ignored\n" });
  scratch.git("add", "--force", "kept.log");
  scratch.git("commit", "--quiet", "--message", "a log");
  const odd = 'odd "name"\n$(x) é\\.ts';
  const worked = await work(scratch, () => {
    scratch.put({
      "src/a.ts": "two\n",
      "src/new.ts": "new\n",
      "dist/out.js": "ignored\n",
      "kept.log": "more\n",
    });
    scratch.put({ [odd]: "odd\n", "--all": "a dash\n", ":(top)x": "a colon\n" });
    rmSync(join(scratch.root, "src/gone.ts"));
    chmodSync(join(scratch.root, "run.sh"), 0o755);
    rmSync(join(scratch.root, "turns"), { recursive: true });
    writeFileSync(join(scratch.root, "turns"), "now a file\n");
    rmSync(join(scratch.root, "was"));
    scratch.put({ "was/inside": "now a folder\n" });
    rmSync(join(scratch.root, "link"));
    symlinkSync("src/a.ts", join(scratch.root, "link"));
    mkdirSync(join(scratch.root, "empty"));
  });
  const outcome = await committed(worked);
  expect(outcome).toMatchObject({ branch: "main", notes: [] });
  expect(
    scratch
      .git("diff-tree", "-r", "-z", "--no-commit-id", "--name-status", "--no-renames", "HEAD")
      .replaceAll(/(?<=^|\0)([A-Z])\0/g, "$1 ")
      .split("\0")
      .slice(0, -1),
  ).toEqual([
    "A --all",
    "A :(top)x",
    "M kept.log",
    "T link",
    `A ${odd}`,
    "M run.sh",
    "M src/a.ts",
    "D src/gone.ts",
    "A src/new.ts",
    "A turns",
    "D turns/into",
    "D was",
    "A was/inside",
  ]);
  expect(
    scratch
      .git("ls-tree", "HEAD", "run.sh", "link")
      .split(/\s/)
      .filter((word) => /^1\d{5}$/.test(word)),
  ).toEqual(["120000", "100755"]);
  expect(scratch.git("status", "--porcelain")).toBe("");
  expect(scratch.git("diff-files")).toBe("");
  expect(scratch.git("log", "-1", "--format=%an <%ae> %cn <%ce>")).toBe(
    "Ada Lovelace <ada@example.org> Ada Lovelace <ada@example.org>",
  );
  expect(scratch.git("reflog", "-1", "--format=%gs")).toBe("relais: task-1");
  expect(scratch.git("reflog", "show", "-1", "--format=%gs", "main")).toBe("relais: task-1");
});

test("a name that is not UTF-8 is committed byte for byte", async () => {
  const scratch = owned({ a: "a\n" });
  const name = Buffer.concat([Buffer.from(`${scratch.root}/bad`), Buffer.from([0xff, 0x2e, 0x74])]);
  writeFileSync(name, "old\n");
  scratch.commit({});
  const worked = await work(scratch, () => writeFileSync(name, "new\n"));
  await committed(worked);
  expect(changedIn(worked)).toEqual(['M\t"bad\\377.t"']);
  expect(scratch.git("status", "--porcelain")).toBe("");
});

test("content is stored through clean filters and line-ending rules as they were before", async () => {
  const scratch = owned({ ".gitattributes": "*.dat filter=store\n*.txt text eol=crlf\n" });
  scratch.git("config", "filter.store.clean", "sed s/^plain:/stored:/");
  scratch.git("config", "filter.store.smudge", "sed s/^stored:/plain:/");
  scratch.git("config", "filter.store.required", "true");
  scratch.commit({ "a.dat": "plain: one\n", "a.txt": "one\r\n" });
  expect(scratch.git("show", "HEAD:a.dat")).toBe("stored: one");
  const past = new Date(Date.now() - 60_000);
  const worked = await work(scratch, () => {
    const files = {
      "a.dat": "plain: two\n",
      "b.dat": "plain: new\n",
      "a.txt": "one\r\ntwo\r\n",
      "sub/b.txt": "three\r\n",
      'odd "[a]*\\?\n.txt': "odd\r\n",
      // None of this may decide about the commit that brings it.
      ".gitattributes": "* -filter -text\n*.md filter=evil\n",
      "sub/.gitattributes": "* -text\n",
      "x.md": "plain text\n",
    };
    scratch.put(files);
    for (const name of Object.keys(files)) utimesSync(join(scratch.root, name), past, past);
  });
  await committed(worked);
  const stored = (path: string): string => scratch.git("cat-file", "blob", `HEAD:${path}`);
  expect(stored("a.dat")).toBe("stored: two");
  expect(stored("b.dat")).toBe("stored: new");
  expect(stored("a.txt")).toBe("one\ntwo");
  expect(stored("sub/b.txt")).toBe("three");
  expect(stored(".gitattributes")).toBe("* -filter -text\n*.md filter=evil");
  expect(scratch.git("ls-files", "--eol", "--", "odd*")).toContain("i/lf    w/crlf");
  expect(readFileSync(join(scratch.root, "a.txt"), "utf8")).toBe("one\r\ntwo\r\n");
  expect(scratch.git("status", "--porcelain")).toBe("");
});

test.each([
  ["by its place in the repository", () => "sh tools/clean.sh %f"],
  ["by its absolute path", (root: string) => `sh ${root}/tools/clean.sh %f`],
])("a filter that is a program of the repository, named %s, runs as the base has it", async (_, command) => {
  const scratch = owned({
    "tools/clean.sh": "#!/bin/sh\nsed s/secret/hidden/\n",
    ".gitattributes": "*.key filter=hide\n",
  });
  scratch.git("config", "filter.hide.clean", command(scratch.root));
  const mark = join(scratch.box, "cheated");
  const worked = await work(scratch, () => {
    scratch.put({ "tools/clean.sh": `#!/bin/sh\ntouch ${mark}; cat\n`, "a.key": "secret\n" });
  });
  await committed(worked);
  expect(existsSync(mark)).toBe(false);
  expect(scratch.git("cat-file", "blob", "HEAD:a.key")).toBe("hidden");
  expect(scratch.git("cat-file", "blob", "HEAD:tools/clean.sh")).toContain("cheated");
});

test("a filter that fails refuses the commit instead of storing unconverted content", async () => {
  const scratch = owned({ ".gitattributes": "*.dat filter=broken\n" });
  scratch.git("config", "filter.broken.clean", "exit 3");
  const worked = await work(scratch, () => scratch.put({ "a.dat": "x\n" }));
  await expect(commitAccepted(worked.request)).rejects.toThrow("filter");
  expect(scratch.git("rev-parse", "HEAD")).toBe(worked.base);
  expect(scratch.git("status", "--porcelain")).toBe("?? a.dat");
});

test.each([
  ["a filter that may fail", "false"],
  ["a filter that is required", "true"],
])("%s and is a file that nobody committed is named with what to do", async (_, required) => {
  const scratch = owned({ ".gitattributes": "*.dat filter=own\n", ".gitignore": "tools/\n" });
  scratch.put({ "tools/clean.sh": "#!/bin/sh\ncat\n" });
  scratch.git("config", "filter.own.clean", "./tools/clean.sh %f");
  scratch.git("config", "filter.own.required", required);
  chmodSync(join(scratch.root, "tools/clean.sh"), 0o755);
  const worked = await work(scratch, () => scratch.put({ "a.dat": "x\n" }));
  await expect(commitAccepted(worked.request)).rejects.toThrow(
    /^the repository's filters: tools\/clean\.sh: a file that is not committed, .* commit it first, or name it by a path outside/,
  );
  expect(scratch.git("rev-parse", "HEAD")).toBe(worked.base);
});

test("a filter finds its own data in the git directory, and LFS keeps its content there", async () => {
  const scratch = owned({ ".gitattributes": "*.dat filter=keyed\n" });
  mkdirSync(join(scratch.root, ".git/git-crypt"));
  writeFileSync(join(scratch.root, ".git/git-crypt/key"), "k3y");
  const script = 'cat >/dev/null; cat "$(git rev-parse --git-dir)/git-crypt/key"; git config lfs.storage';
  scratch.git("config", "filter.keyed.clean", script);
  const worked = await work(scratch, () => scratch.put({ "a.dat": "x\n" }));
  await committed(worked);
  expect(scratch.git("cat-file", "blob", "HEAD:a.dat")).toBe(`k3y${scratch.root}/.git/lfs`);
});

test("nothing is signed, whatever is configured", async () => {
  const scratch = owned({ a: "a\n" });
  const mark = join(scratch.box, "signed");
  writeFileSync(join(scratch.box, "gpg"), `#!/bin/sh\ntouch ${mark}\nexit 1\n`, { mode: 0o755 });
  scratch.git("config", "commit.gpgSign", "true");
  scratch.git("config", "gpg.program", join(scratch.box, "gpg"));
  const worked = await work(scratch, () => scratch.put({ a: "b\n" }));
  await committed(worked);
  expect(existsSync(mark)).toBe(false);
});

test("without a configured user the commit is the runner's and says so", async () => {
  const scratch = owned({ a: "a\n" });
  scratch.git("config", "--unset", "user.name");
  const saved = { ...process.env };
  process.env["GIT_CONFIG_GLOBAL"] = "/dev/null";
  for (const name of ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "EMAIL"]) delete process.env[name];
  try {
    const worked = await work(scratch, () => scratch.put({ a: "b\n" }));
    expect(await commitIdentity(worked.repository)).toMatchObject({ isFallback: true });
    const { notes } = await committed(worked);
    expect(notes).toHaveLength(1);
    expect(scratch.git("log", "-1", "--format=%an <%ae>")).toBe("relais <relais@localhost>");
  } finally {
    process.env = saved;
  }
});

test("other entries of the index keep their flags, and a linked worktree its own index and branch", async () => {
  const main = owned({ "src/a.ts": "one\n", hidden: "h\n" });
  const scratch = linkedWorktree(main);
  scratch.git("update-index", "--assume-unchanged", "hidden");
  const mainBefore = main.git("rev-parse", "main");
  const worked = await work(scratch, () => scratch.put({ "src/a.ts": "two\n" }));
  expect(await committed(worked)).toMatchObject({ branch: "side" });
  expect(scratch.git("ls-files", "-v", "hidden")).toBe("h hidden");
  expect(scratch.git("status", "--porcelain")).toBe("");
  expect(main.git("rev-parse", "main")).toBe(mainBefore);
  expect(main.git("status", "--porcelain")).toBe("");
});

test("a split index becomes a whole one and stays true", async () => {
  const scratch = owned({ a: "a\n", b: "b\n" });
  scratch.git("update-index", "--split-index");
  const worked = await work(scratch, () => scratch.put({ a: "A\n", c: "c\n" }));
  await committed(worked);
  expect(scratch.git("status", "--porcelain")).toBe("");
  expect(scratch.git("ls-files")).toBe("a\nb\nc");
});

test("a repository with SHA-256 is committed to as well", async () => {
  const scratch = owned({});
  rmSync(join(scratch.root, ".git"), { recursive: true });
  scratch.git("init", "--quiet", "--object-format=sha256");
  scratch.commit({ a: "a\n", b: "b\n" });
  const worked = await work(scratch, () => {
    scratch.put({ a: "A\n" });
    rmSync(join(scratch.root, "b"));
  });
  await committed(worked);
  expect(scratch.git("status", "--porcelain")).toBe("");
});

test("a change that no commit can hold commits nothing", async () => {
  const scratch = owned({ a: "a\n", ".gitignore": "dist/\n" });
  const worked = await work(scratch, () => {
    scratch.put({ "dist/x": "x\n" });
    mkdirSync(join(scratch.root, "empty"));
  });
  expect(await commitAccepted(worked.request)).toEqual({ kind: "nothing-to-commit" });
  expect(scratch.git("rev-parse", "HEAD")).toBe(worked.base);
});
