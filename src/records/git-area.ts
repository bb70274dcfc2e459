/**
 * The area of git's data that a file belongs to. A rollback restores every difference; the area only decides what it
 * means to the judge. What an honest `git status`, `git add` or `git diff` leaves is noise. Unknown files are `other`,
 * which stops.
 */
import type { GitArea } from "./evidence.ts";

type ChangeKind = "added" | "removed" | "modified";

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

/**
 * New loose objects are noise: packs are read first and a loose file is kept, so they cannot hide an existing object. A
 * new pack can hide older ones, so it is no noise.
 */
const NEW_OBJECT = /^(objects\/[0-9a-f]{2}(\/([0-9a-f]{38}|[0-9a-f]{62}|tmp_obj_\w+))?|lfs\/objects(\/.*)?|lfs)$/;

/** `name` is relative to the owner's own git directory. */
interface GitPlace {
  readonly name: string;
  /** Null for the current worktree and for data that all worktrees share. */
  readonly owner: "worktrees" | "submodules" | null;
}

export function findGitPlace(path: string): GitPlace {
  const worktree = /^worktrees(?:\/[^/]+(?:\/(?<rest>.*))?)?$/s.exec(path);
  if (worktree !== null) return { name: worktree.groups?.["rest"] ?? "", owner: "worktrees" };
  if (/^modules(\/|$)/.test(path)) return { name: withinModule(path), owner: "submodules" };
  return { name: path, owner: null };
}

/** New objects are noise; lost or rewritten ones are not. */
export function classifyGitPath(path: string, kind: ChangeKind): GitArea {
  const { name, owner } = findGitPlace(path);
  const area = classifyOwnPath(name, kind);
  if (owner === null || area === "noise" || area === "remote_refs") return area;
  return name === "index" && kind !== "removed" ? "noise" : owner;
}

/** For a path that no honest command left: nothing is noise there, and nothing was fetched. */
export function pickGravestArea(path: string): GitArea {
  const { name, owner } = findGitPlace(path);
  if (owner !== null) return owner;
  const area = classifyOwnPath(name, "modified");
  if (area === "remote_refs") return "refs";
  return area === "noise" ? "other" : area;
}

function classifyOwnPath(path: string, kind: ChangeKind): GitArea {
  for (const [pattern, area] of PREFIXES) if (pattern.test(path)) return area;
  if (kind === "added" && NEW_OBJECT.test(path)) return "noise";
  return /^(objects|lfs\/objects)(\/.*)?$/.test(path) ? "objects" : "other";
}

/** A submodule's name may contain slashes, so its data starts at the first name of git's layout. */
function withinModule(path: string): string {
  const known =
    /\/(HEAD|index|config|packed-refs|FETCH_HEAD|ORIG_HEAD|COMMIT_EDITMSG|refs|logs|hooks|info|objects|worktrees|modules)(\/|$)/;
  const at = known.exec(path.slice("modules".length));
  return at === null ? path : path.slice("modules".length + at.index + 1);
}
