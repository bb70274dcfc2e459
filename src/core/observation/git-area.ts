/**
 * Which part of git's data a file of the git directory belongs to.
 *
 * Everything that differs is put back on a rollback; the area only says what a difference means to the judge. What an
 * honest `git status`, `git add` or `git diff` leaves behind is noise. What is not known is `other`, which stops.
 */
import type { GitArea } from "../../contract/evidence.ts";

type Kind = "added" | "removed" | "modified";

/** Left behind by commands that change nothing that matters. */
const NOISE =
  /^(ORIG_HEAD|COMMIT_EDITMSG|gc\.log|gc\.pid|fsmonitor--daemon.*|lfs\/(tmp|cache|incomplete|logs)(\/.*)?)$/;
const OPERATION =
  /^([A-Z_]*MERGE_[A-Z]+|AUTO_MERGE|CHERRY_PICK_HEAD|REVERT_HEAD|REBASE_HEAD|SQUASH_MSG|BISECT_.*|rebase-merge(\/.*)?|rebase-apply(\/.*)?|sequencer(\/.*)?|rr-cache(\/.*)?)$/;

const PREFIXES: readonly (readonly [RegExp, GitArea])[] = [
  [/\.lock$/, "lock"],
  [NOISE, "noise"],
  [OPERATION, "operation"],
  [/^(FETCH_HEAD|refs\/remotes(\/.*)?|logs\/refs\/remotes(\/.*)?)$/, "remote_refs"],
  [/^(logs\/)?refs\/stash$/, "stash"],
  [/^(HEAD|packed-refs|refs(\/.*)?|reftable(\/.*)?)$/, "refs"],
  [/^logs(\/.*)?$/, "reflog"],
  [/^config(\.worktree)?$/, "config"],
  [/^hooks(\/.*)?$/, "hooks"],
  [/^info(\/.*)?$/, "info"],
  [/^(index|sharedindex\..*)$/, "index"],
  [/^(shallow|objects\/info\/.*)$/, "objects"],
  [/^(commondir|gitdir|)$/, "git_dir"],
];

/** The area of a path below the git directory. New objects are noise; lost or rewritten ones are not. */
export function gitArea(path: string, kind: Kind): GitArea {
  const worktree = /^worktrees(?:\/[^/]+(?:\/(?<rest>.*))?)?$/.exec(path);
  if (worktree !== null) return elsewhere(worktree.groups?.["rest"] ?? "", kind, "worktrees");
  if (/^modules(\/|$)/.test(path)) return elsewhere(withinModule(path), kind, "submodules");
  return own(path, kind);
}

function own(path: string, kind: Kind): GitArea {
  for (const [pattern, area] of PREFIXES) if (pattern.test(path)) return area;
  if (/^(objects|lfs\/objects)(\/.*)?$/.test(path)) return kind === "added" ? "noise" : "objects";
  return "other";
}

/** Another worktree's or a submodule's data: its noise is noise, the rest belongs to its owner. */
function elsewhere(path: string, kind: Kind, owner: "worktrees" | "submodules"): GitArea {
  const area = own(path, kind);
  if (area === "noise" || area === "remote_refs") return area;
  return path === "index" ? "noise" : owner;
}

/** A submodule's name may contain slashes, so its data begins where a known name of git's layout appears. */
function withinModule(path: string): string {
  const known =
    /\/(HEAD|index|config|packed-refs|FETCH_HEAD|ORIG_HEAD|COMMIT_EDITMSG|refs|logs|hooks|info|objects|worktrees|modules)(\/|$)/;
  const at = known.exec(path.slice("modules".length));
  return at === null ? path : path.slice("modules".length + at.index + 1);
}
