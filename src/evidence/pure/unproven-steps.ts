/**
 * What a rollback would do that the checked out commit does not confirm.
 *
 * After a crash the observation from before the build comes from the state directory, which a builder of the same user
 * can forge. So each step is compared with git: written content must be the committed one, and a removed file must be
 * neither committed nor lost by its removal. All else needs a person.
 */
import type { RollbackStep } from "../../records/recovery.ts";
import type { CommittedEntry, CommittedTree } from "../../records/committed-tree.ts";
import type { Entry, Manifest } from "../../base/manifest.ts";
import { decodePath } from "../../base/path-names.ts";
import { compareManifests, type Difference } from "./compare-manifests.ts";
import { classifyGitPath } from "../../records/git-area.ts";

export interface WorktreeQuestion {
  readonly target: Manifest;
  readonly now: Manifest;
  /** Null where git has no commit to compare with. */
  readonly committed: CommittedTree | null;
  /** The id of a content as the repository names it; null where it is unknown. */
  readonly identify: (entry: Entry) => string | null;
  /** Whether a copy of a removed file is kept. */
  readonly isSaved: (path: string) => boolean;
  /** Whether the step is fine whatever git says. */
  readonly isTrusted: (path: string, act: RollbackStep["act"]) => boolean;
}

export function listUnprovenWorktreeSteps(question: WorktreeQuestion): readonly RollbackStep[] {
  const { target, now, isTrusted } = question;
  const steps = compareManifests(target, now).map((difference) => ({
    act: nameAct(difference),
    path: difference.path,
    isProven: isProvenStep(question, difference),
  }));
  return steps
    .filter(({ act, path, isProven }) => !isProven && !isTrusted(path, act))
    .map(({ act, path }) => ({ act, path: nameText(path) }));
}

/** Of git's own data only new objects that nothing needs, locks and notes of commands disappear without a question. */
export function listUnprovenGitSteps(
  target: Manifest,
  now: Manifest /** The path of the worktree's index, if the one that would be written is exactly the commit. */,
  provenIndex: string | null /** Whether git needs this object. */,
  isNeeded: (path: string) => boolean,
): readonly RollbackStep[] {
  const owner = now.get("")?.owner;
  return compareManifests(target, now)
    .filter((difference) => {
      const { path, before } = difference;
      if (path === provenIndex) return !hasProvenRights(difference, owner);
      if (before !== null) return before.type !== "directory" || !isProvenFolder(difference, owner);
      return !isProvenGitRemoval(difference) || isNeeded(path);
    })
    .map((difference) => ({ act: nameAct(difference), path: `git: ${nameText(difference.path)}` }));
}

function isProvenGitRemoval({ path, after }: Difference): boolean {
  if (after === null || after.forced) return false;
  if (after.type === "directory") return true;
  const area = classifyGitPath(path, "added");
  return after.type === "file" && (area === "noise" || area === "lock") && !/(^|\/)lfs\/objects\//.test(path);
}

function nameAct({ before, after }: Difference): RollbackStep["act"] {
  if (before === null) return "remove";
  const isSame = before.type === after?.type && before.id === after.id && before.target === after.target;
  return isSame && (before.type !== "file" || before.id !== null) ? "mode" : "write";
}

function isProvenStep(question: WorktreeQuestion, difference: Difference): boolean {
  const { before } = difference;
  if (before === null) return isProvenRemoval(question, difference);
  const owner = question.now.get("")?.owner;
  if (before.type === "directory") return isProvenFolder(difference, owner);
  if (nameAct(difference) === "mode") return hasProvenRights(difference, owner);
  const committed = question.committed?.files.get(difference.path);
  return committed !== undefined && isCommitted(question, before, committed) && hasProvenRights(difference, owner);
}

function isProvenRemoval({ committed, isSaved }: WorktreeQuestion, { path, after }: Difference): boolean {
  if (committed === null || after === null || after.forced) return false;
  if (committed.files.has(path) || committed.folders.has(path)) return false;
  if (after.type === "directory") return true;
  return after.type === "file" || after.type === "symlink" ? isSaved(path) : true;
}

/** A new folder is empty. The folder of the repository itself must be there. */
function isProvenFolder(difference: Difference, owner: string | undefined): boolean {
  if (difference.path === "" && difference.after?.type !== "directory") return false;
  return hasProvenRights(difference, owner);
}

function isCommitted({ identify }: WorktreeQuestion, entry: Entry, committed: CommittedEntry): boolean {
  const isLink = entry.type === "symlink";
  if (!isLink && entry.type !== "file") return false;
  if (identify(entry) !== committed.id) return false;
  if (isLink) return committed.mode === "120000";
  return committed.mode === ((entry.mode & 0o100) === 0 ? "100644" : "100755");
}

/** A folder may hand on its group. */
const SPECIAL = { directory: 0o5002, other: 0o7002 } as const;

/** The rights as they are now, or such that nobody else gets any: not those of another user, and nobody else may write. */
function hasProvenRights({ before, after }: Difference, rootOwner: string | undefined): boolean {
  if (before === null) return true;
  const { type, mode, owner } = before;
  const isSameType = after?.type === type;
  if (owner !== rootOwner && !(isSameType && owner === after.owner)) return false;
  if (type === "symlink" || (isSameType && mode === after.mode)) return true;
  return (mode & (type === "directory" ? SPECIAL.directory : SPECIAL.other)) === 0;
}

function nameText(path: string): string {
  return path === "" ? "." : decodePath(path).text;
}
