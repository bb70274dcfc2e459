import { expect, test } from "vitest";
import type { Change } from "../../../src/records/evidence.ts";
import { checkSideEffects } from "../../../src/judge/pure/check-side-effects.ts";
import { added, change, evidence, rules, side } from "../../support/evidence.ts";

interface Case {
  readonly changed: readonly string[];
  readonly judged?: Change[];
  readonly now?: Change[];
  readonly scratch?: readonly string[];
  readonly ownPrefix?: string;
  readonly newInGit?: readonly string[];
  readonly isSameIndex?: boolean;
}

function effects(given: Case) {
  const { changed, judged = [], now = [], scratch = [], ownPrefix = "", newInGit = [] } = given;
  const inForce = { rules: rules({ ignored_writable_globs: ["**/dist/**"] }) };
  const { findings, tolerated } = checkSideEffects({
    changed,
    judged: evidence(judged, inForce),
    now: evidence(now, inForce),
    scratchGlobs: scratch,
    git: { ownPrefix, isNew: (path) => newInGit.includes(path), isSameIndex: given.isSameIndex ?? false },
  });
  return { refused: findings.map(({ subject }) => subject), tolerated, findings };
}

const OBJECT = `objects/ab/${"c".repeat(38)}`;
const ignored = (path: string) => change(path, { standing: "ignored" });
const folder = (path: string) => added(path, side({ type: "directory" }));

test.each<[string, Case]>([
  ["a path under a scratch glob", { changed: ["tmp/x"], now: [added("tmp/x")], scratch: ["tmp/**"] }],
  ["an empty folder under a scratch glob", { changed: ["tmp"], now: [folder("tmp")], scratch: ["tmp/**"] }],
  ["a new folder without a file", { changed: [".benchmarks"], now: [folder(".benchmarks")] }],
  [
    "folders that came with what is scratch",
    { changed: ["a", "a/b", "a/b/x"], now: [added("a/b/x")], scratch: ["a/b/**"] },
  ],
  ["ignored build output", { changed: ["dist/x"], now: [ignored("dist/x")] }],
  [
    "ignored build output that the builder wrote as well",
    { changed: ["dist/x"], judged: [ignored("dist/x")], now: [ignored("dist/x")] },
  ],
  ["build output put back as it was", { changed: ["dist/x"], judged: [ignored("dist/x")] }],
  ["an editor that fetches", { changed: ["git: FETCH_HEAD", "git: refs/remotes/origin/main"] }],
  ["a new object", { changed: [`git: ${OBJECT}`], newInGit: [OBJECT] }],
  ["what `git status` leaves", { changed: ["git: ORIG_HEAD"] }],
  ["an index with other times in it", { changed: ["git: index"], isSameIndex: true }],
])("%s is tolerated", (_, given) => {
  expect(effects(given)).toMatchObject({ refused: [], tolerated: given.changed });
});

test.each<[string, Case, RegExp]>([
  ["a tracked file", { changed: ["src/a"], now: [change("src/a")] }, /no glob of verification\.scratch_globs/],
  ["tracked build output", { changed: ["dist/x"], now: [change("dist/x")] }, /no glob/],
  ["an ignored file that is no output", { changed: [".env"], now: [ignored(".env")] }, /no glob/],
  ["a file where a scratch folder was", { changed: ["tmp"], now: [added("tmp")], scratch: ["tmp/**"] }, /no glob/],
  ["a path that nobody can explain", { changed: ["odd"], scratch: ["**"] }, /no glob/],
  ["the link to git's folder", { changed: [".git", ".git/x"], scratch: ["**"] }, /no glob/],
  ["the runner's files", { changed: ["relais/X"], now: [added("relais/X")], scratch: ["**"] }, /belongs to the runner/],
  [
    "part of the change itself",
    { changed: ["src/a"], judged: [change("src/a")], now: [change("src/a")], scratch: ["**"] },
    /part of the change/,
  ],
  [
    "a change that was undone",
    { changed: ["src/a"], judged: [change("src/a")], scratch: ["**"] },
    /part of the change/,
  ],
  ["the index", { changed: ["git: index"], scratch: ["**"] }, /git's own data/],
  ["a hook", { changed: ["git: hooks/pre-commit"], newInGit: ["hooks/pre-commit"] }, /git's own data/],
  ["another's index", { changed: ["git: index"], ownPrefix: "worktrees/a/", isSameIndex: true }, /git's own/],
  ["a lost object", { changed: [`git: ${OBJECT}`] }, /git's own data/],
  ["another worktree", { changed: ["git: worktrees/b/HEAD"], ownPrefix: "worktrees/a/" }, /git's own data/],
  ["the index of a linked worktree", { changed: ["git: worktrees/a/index"], ownPrefix: "worktrees/a/" }, /git's own/],
  ["a file named like git's noise", { changed: ["git: ORIG_HEAD"], now: [added("git: ORIG_HEAD")] }, /no glob/],
])("%s is not for checks to change", (_, given, rule) => {
  const { findings } = effects(given);
  expect(findings[0]).toEqual({
    gate: "verify-side-effects",
    code: "STOP_VERIFY_SIDE_EFFECTS",
    subject: given.changed[0],
    rule: expect.stringMatching(rule),
    glob: null,
  });
});

test("the root of the worktree has a name that can be read", () => {
  expect(effects({ changed: [""], now: [change(".")] }).refused).toEqual(["."]);
});

test("a flood of changes is cut and its rest counted", () => {
  const paths = Array.from({ length: 250 }, (_, index) => `src/${index}`);
  const { refused } = effects({ changed: paths, now: paths.map((path) => added(path)) });
  expect(refused).toEqual([...paths.slice(0, 100), "150 more paths"]);
});
