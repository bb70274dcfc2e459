/** The walker judges the product, so here it is judged itself: it must notice each kind of change, and nothing else. */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { REPOSITORY_KINDS, buildRepository, gitEnvironment } from "./repositories.ts";
import { differences, walk } from "./walker.ts";

let folder = "";
let box = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "relais-walker-"));
  box = join(folder, "box");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const git = (...args: string[]): Buffer =>
  execFileSync("git", args, { cwd: join(box, "repo"), env: gitEnvironment(folder) });

function sameSizeAndTime(path: string): void {
  const { atime, mtime, size } = statSync(path);
  writeFileSync(path, "x".repeat(size));
  utimesSync(path, atime, mtime);
}

const CHANGES: readonly { what: string; change: (repo: string) => void; seen: RegExp }[] = [
  {
    what: "an edit",
    change: (repo) => appendFileSync(join(repo, "README.md"), "x"),
    seen: /README\.md: content/u,
  },
  {
    what: "an edit with the old size and time",
    change: (repo) => sameSizeAndTime(join(repo, "docs/guide.md")),
    seen: /guide\.md: content/u,
  },
  {
    what: "an ignored file",
    change: (repo) => writeFileSync(join(repo, ".env"), ""),
    seen: /\.env: content/u,
  },
  {
    what: "a mode that git cannot see",
    change: (repo) => chmodSync(join(repo, "docs/guide.md"), 0o640),
    seen: /0640/u,
  },
  {
    what: "the mode of a folder",
    change: (repo) => chmodSync(join(repo, "docs"), 0o1755),
    seen: /docs: mode/u,
  },
  { what: "an empty folder", change: (repo) => mkdirSync(join(repo, "hollow")), seen: /hollow: appeared/u },
  {
    what: "the text of a link",
    change: (repo) => {
      unlinkSync(join(repo, "src/current"));
      symlinkSync("lib/../lib/util.ts", join(repo, "src/current"));
    },
    seen: /current: content/u,
  },
  {
    what: "a pipe",
    change: (repo) => void execFileSync("mkfifo", [join(repo, "dist/pipe")]),
    seen: /pipe: appeared \(fifo/u,
  },
  {
    what: "a name of two lines",
    change: (repo) => unlinkSync(join(repo, "docs/line\nbreak.txt")),
    seen: /line\\x0abreak\.txt: vanished/u,
  },
  {
    what: "the configuration of git",
    change: () => void git("config", "a.b", "c"),
    seen: /\.git\/config: content/u,
  },
  { what: "a ref", change: () => void git("branch", "new"), seen: /git repo: refs: was/u },
  { what: "the stash", change: () => void git("stash", "drop", "-q"), seen: /git repo: stash: was/u },
  {
    what: "a lost object",
    change: (repo) => rmSync(join(repo, ".git/objects/pack"), { recursive: true }),
    seen: /git repo: fsck: was/u,
  },
  {
    what: "a neighbour",
    change: (repo) => writeFileSync(join(repo, "../neighbour/mark"), ""),
    seen: /neighbour\/mark: appeared/u,
  },
];

test.each(CHANGES)("the walker sees $what", ({ change, seen }) => {
  const { worktrees } = buildRepository("plain", box);
  const before = walk({ folder: box, worktrees });
  change(join(box, "repo"));
  expect(differences(before, walk({ folder: box, worktrees })).join("\n")).toMatch(seen);
});

test.each(REPOSITORY_KINDS.filter((kind) => kind !== "foreign"))(
  "looking twice at a repository of the kind %s shows no difference, and git has no complaint",
  (kind) => {
    const { worktrees } = buildRepository(kind, box);
    const before = walk({ folder: box, worktrees });
    expect(differences(before, walk({ folder: box, worktrees }), { withTimes: true })).toEqual([]);
    expect([...before.git.values()].filter((answer) => answer.startsWith("failed"))).toEqual([]);
  },
);

test("times are compared only on request", () => {
  const { worktrees } = buildRepository("plain", box);
  const before = walk({ folder: box, worktrees });
  utimesSync(join(box, "repo/README.md"), 1, 1);
  const after = walk({ folder: box, worktrees });
  expect(differences(before, after)).toEqual([]);
  expect(differences(before, after, { withTimes: true }).join("\n")).toMatch(/README\.md: mtimeNs/u);
});
