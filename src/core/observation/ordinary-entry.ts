/**
 * Whether an entry of git's data is of the kind that git itself leaves at its place.
 *
 * What a command rewrites in passing is let pass by its name, so the name must not be all that is looked at: a link
 * named COMMIT_EDITMSG makes the next commit write into whatever it leads to, a folder named after a lock stops every
 * update, and a file that everybody may write is an open door. Only plain files and the folders that git makes count.
 */
import { unreachable } from "../../contract/values/invariant.ts";
import type { Entry } from "../../contract/evidence/manifest.ts";
import type { Difference } from "./compare-manifests.ts";
import { findGitPlace } from "./git-area.ts";

/** Git makes these as it needs them. */
const NEW_FOLDER =
  /^(logs(\/.*)?|refs(\/.*)?|objects\/([0-9a-f]{2}|pack|info)|info|lfs(\/.*)?|fsmonitor--daemon(\/cookies)?)$/s;
/** Where a file would keep git from making a folder. */
const FOLDER_PLACE =
  /^(objects\/([0-9a-f]{2}|pack|info)|(logs\/)?refs(\/(heads|tags|remotes|notes|replace))?|logs|info|hooks|lfs(\/objects)?)$/;
const OBJECT = /^(objects|lfs\/objects)\//;

/** What a worktree's or submodule's place in git's data is compared with. */
export interface OrdinaryQuestion extends Difference {
  /** The git directory itself: what its mode lets others do is nothing new below it. */
  readonly gitFolder: Entry | undefined;
}

/** Says of a changed entry of git's data that its type, mode and links are what git makes. A removed one has none. */
export function isOrdinary(question: OrdinaryQuestion): boolean {
  const { path, after } = question;
  if (after === null) return true;
  const { name } = findGitPlace(path);
  if (after.forced) return false;
  switch (after.type) {
    case "file":
      return !FOLDER_PLACE.test(name) && isPlainFile(question, after, name);
    case "directory":
      return isPlainFolder(question, after, name);
    case "socket":
      return name === "fsmonitor--daemon.ipc";
    case "symlink":
    case "fifo":
    case "device":
      return false;
    default:
      return unreachable(after.type);
  }
}

/** A hard link to an object is what a clone on the same disk makes; its body is replaced when the change is merged. */
function isPlainFile({ before, gitFolder }: OrdinaryQuestion, after: Entry, name: string): boolean {
  const links = before?.type === "file" ? before.hardLinks : 1;
  if (after.hardLinks > Math.max(1, links) && !OBJECT.test(name)) return false;
  return hasPlainMode({ before, after, plain: 0o664 | ((gitFolder?.mode ?? 0) & 0o006) });
}

function isPlainFolder({ before, gitFolder }: OrdinaryQuestion, after: Entry, name: string): boolean {
  const isNew = before?.type !== "directory";
  if (isNew && (!NEW_FOLDER.test(name) || name.endsWith(".lock"))) return false;
  return hasPlainMode({ before, after, plain: 0o2775 | ((gitFolder?.mode ?? 0) & 0o007) });
}

interface ModeQuestion {
  readonly before: Entry | null;
  readonly after: Entry;
  /** The bits that may be gained. */
  readonly plain: number;
}

/** Git never changes the mode or owner of what it has; what it writes anew follows the umask of whoever runs it. */
function hasPlainMode({ before, after, plain }: ModeQuestion): boolean {
  const old = before?.type === after.type ? before : null;
  if (old !== null && old.id === after.id) return old.mode === after.mode && old.owner === after.owner;
  return (after.mode & ~(old?.mode ?? 0) & ~plain) === 0;
}

/** Whether a removed folder is one that git removes when it is empty; without `refs` there is no repository. */
export function isEmptiedFolder(path: string): boolean {
  return /^(objects\/[0-9a-f]{2}|logs(\/.*)?|refs\/[^/]+\/.+)$/s.test(path);
}

/** Whether a file that gained a link is an object. */
export function isObjectFile(path: string): boolean {
  return OBJECT.test(findGitPlace(path).name);
}
