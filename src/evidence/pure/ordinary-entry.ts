/**
 * Whether an entry of git's data is of the kind that git itself makes there. Noise is tolerated by name, so the name
 * must not be all that counts: a link named COMMIT_EDITMSG redirects the next commit, a folder named like a lock stops
 * every update, and a world-writable file is an open door.
 */
import { unreachable } from "../../base/errors.ts";
import type { Entry } from "../../base/manifest.ts";
import type { Difference } from "./compare-manifests.ts";
import { findGitPlace } from "../../records/git-area.ts";

/** Git creates these as needed. */
const NEW_FOLDER =
  /^(logs(\/.*)?|refs(\/.*)?|objects\/([0-9a-f]{2}|pack|info)|info|lfs(\/.*)?|fsmonitor--daemon(\/cookies)?)$/s;
/** A file here would keep git from creating a folder. */
const FOLDER_PLACE =
  /^(objects\/([0-9a-f]{2}|pack|info)|(logs\/)?refs(\/(heads|tags|remotes|notes|replace))?|logs|info|hooks|lfs(\/objects)?)$/;
const OBJECT = /^(objects|lfs\/objects)\//;

export interface OrdinaryQuestion extends Difference {
  /** Rights that its mode already gives are nothing new below it. */
  readonly gitFolder: Entry | undefined;
}

/** Whether type, mode and links are what git makes. A removed entry has none. */
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

/** A clone on the same disk makes hard links to objects; the merge gives each a body of its own. */
function isPlainFile({ before, gitFolder }: OrdinaryQuestion, after: Entry, name: string): boolean {
  const links = before?.type === "file" ? before.hardLinks : 1;
  if (after.hardLinks > Math.max(1, links) && !OBJECT.test(name)) return false;
  return hasPlainMode(before, after, 0o664 | ((gitFolder?.mode ?? 0) & 0o006));
}

function isPlainFolder({ before, gitFolder }: OrdinaryQuestion, after: Entry, name: string): boolean {
  const isNew = before?.type !== "directory";
  if (isNew && (!NEW_FOLDER.test(name) || name.endsWith(".lock"))) return false;
  return hasPlainMode(before, after, 0o2775 | ((gitFolder?.mode ?? 0) & 0o007));
}

/** Git never changes the mode or owner of existing entries; new ones follow the umask. */
function hasPlainMode(before: Entry | null, after: Entry, plain: number): boolean {
  const old = before?.type === after.type ? before : null;
  if (old !== null && old.id === after.id) return old.mode === after.mode && old.owner === after.owner;
  return (after.mode & ~(old?.mode ?? 0) & ~plain) === 0;
}

/** Git removes such a folder when it is empty; without `refs` there is no repository. */
export function isEmptiedFolder(path: string): boolean {
  return /^(objects\/[0-9a-f]{2}|logs(\/.*)?|refs\/[^/]+\/.+)$/s.test(path);
}

export function isObjectFile(path: string): boolean {
  return OBJECT.test(findGitPlace(path).name);
}
