/**
 * Which part of git's data a file of the git directory belongs to.
 *
 * Everything that differs is put back on a rollback; the area only says what a difference means to the judge. What an
 * honest `git status`, `git add` or `git diff` leaves behind is noise. What is not known is `other`, which stops.
 */
import type { GitArea } from "../../contract/evidence/evidence.ts";

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

/**
 * New loose objects are noise: an object that exists already cannot be hidden by one, because packs are asked first and
 * a loose one keeps its file. A new pack can hide older ones, so its name alone does not make it noise.
 */
const NEW_OBJECT = /^(objects\/[0-9a-f]{2}(\/([0-9a-f]{38}|[0-9a-f]{62}|tmp_obj_\w+))?|lfs\/objects(\/.*)?|lfs)$/;

/** A place in git's data: whose it is, and the name that it has in every git directory. */
interface GitPlace {
  readonly name: string;
  /** Null for the data of the worktree that is being worked in, and for what all worktrees share. */
  readonly owner: "worktrees" | "submodules" | null;
}

/** Where a path below the git directory belongs. */
export function findGitPlace(path: string): GitPlace {
  const worktree = /^worktrees(?:\/[^/]+(?:\/(?<rest>.*))?)?$/s.exec(path);
  if (worktree !== null) return { name: worktree.groups?.["rest"] ?? "", owner: "worktrees" };
  if (/^modules(\/|$)/.test(path)) return { name: withinModule(path), owner: "submodules" };
  return { name: path, owner: null };
}

/** The area of a path below the git directory. New objects are noise; lost or rewritten ones are not. */
export function classifyGitPath(path: string, kind: Kind): GitArea {
  const { name, owner } = findGitPlace(path);
  const area = ownArea(name, kind);
  // Another worktree's or a submodule's noise is noise, the rest belongs to its owner.
  if (owner === null || area === "noise" || area === "remote_refs") return area;
  return name === "index" && kind !== "removed" ? "noise" : owner;
}

/** The area of a path where no honest command left what was found: nothing is noise there, and nothing was fetched. */
export function pickGravestArea(path: string): GitArea {
  const { name, owner } = findGitPlace(path);
  if (owner !== null) return owner;
  const area = ownArea(name, "modified");
  if (area === "remote_refs") return "refs";
  return area === "noise" ? "other" : area;
}

function ownArea(path: string, kind: Kind): GitArea {
  for (const [pattern, area] of PREFIXES) if (pattern.test(path)) return area;
  if (kind === "added" && NEW_OBJECT.test(path)) return "noise";
  return /^(objects|lfs\/objects)(\/.*)?$/.test(path) ? "objects" : "other";
}

/** A submodule's name may contain slashes, so its data begins where a known name of git's layout appears. */
function withinModule(path: string): string {
  const known =
    /\/(HEAD|index|config|packed-refs|FETCH_HEAD|ORIG_HEAD|COMMIT_EDITMSG|refs|logs|hooks|info|objects|worktrees|modules)(\/|$)/;
  const at = known.exec(path.slice("modules".length));
  return at === null ? path : path.slice("modules".length + at.index + 1);
}
