import { expect, test } from "vitest";
import { classifyGitPath, pickGravestArea } from "../../src/records/git-area.ts";

const LOOSE = `objects/ab/${"c".repeat(38)}`;

test.each([
  ["config", "modified", "config"],
  ["config.worktree", "added", "config"],
  ["hooks/pre-commit", "added", "hooks"],
  ["info/exclude", "modified", "info"],
  ["info/grafts", "added", "info"],
  ["refs/heads/main", "modified", "refs"],
  ["refs/replace/abc", "added", "refs"],
  ["packed-refs", "modified", "refs"],
  ["refs/stash", "added", "stash"],
  ["logs/refs/stash", "modified", "stash"],
  ["logs/HEAD", "modified", "reflog"],
  ["refs/remotes/origin/main", "modified", "remote_refs"],
  ["FETCH_HEAD", "modified", "remote_refs"],
  ["index.lock", "added", "lock"],
  ["refs/heads/main.lock", "added", "lock"],
  ["sharedindex.0a", "added", "index"],
  ["MERGE_HEAD", "added", "operation"],
  ["MERGE_MSG", "added", "operation"],
  ["rebase-merge/done", "added", "operation"],
  ["BISECT_LOG", "added", "operation"],
  ["sequencer/todo", "added", "operation"],
  ["worktrees/x/HEAD", "modified", "worktrees"],
  ["worktrees/x/index", "modified", "noise"],
  ["worktrees", "added", "worktrees"],
  ["modules/a/b/HEAD", "modified", "submodules"],
  ["modules/a/b/index", "modified", "noise"],
  ["worktrees/x/index", "removed", "worktrees"],
  ["modules/a/b/index", "removed", "submodules"],
  [`modules/a/${LOOSE}`, "added", "noise"],
  [`modules/a/${LOOSE}`, "removed", "submodules"],
  [LOOSE, "added", "noise"],
  [LOOSE, "modified", "objects"],
  ["objects/ab/tmp_obj_Xy12", "added", "noise"],
  ["objects/ab/cdef", "added", "objects"],
  ["objects/pack/pack-1.pack", "added", "objects"],
  ["objects/pack/multi-pack-index", "added", "objects"],
  ["lfs/objects/ab/cd/abcd", "added", "noise"],
  ["objects/pack/pack-1.pack", "removed", "objects"],
  ["objects/info/alternates", "added", "objects"],
  ["shallow", "added", "objects"],
  ["commondir", "modified", "git_dir"],
  ["ORIG_HEAD", "modified", "noise"],
  ["COMMIT_EDITMSG", "added", "noise"],
  ["gc.pid", "added", "noise"],
  ["something-new", "added", "other"],
] as const)("%s %s is %s", (path, change, area) => {
  expect(classifyGitPath(path, change)).toBe(area);
});

test.each([
  ["COMMIT_EDITMSG", "other"],
  ["FETCH_HEAD", "refs"],
  ["refs/remotes", "refs"],
  [LOOSE, "objects"],
  ["index", "index"],
  ["worktrees/x/ORIG_HEAD", "worktrees"],
  ["modules/a/FETCH_HEAD", "submodules"],
  ["refs/heads/main.lock", "lock"],
] as const)("%s that no honest command left is %s", (path, area) => {
  expect(pickGravestArea(path)).toBe(area);
});
