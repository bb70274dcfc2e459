/**
 * A folder of the workspace that relais writes to.
 *
 * If the workspace or a folder in it were replaced by a link, a report would overwrite files somewhere else. So every
 * step from the root of the repository down is checked before anything is written, and missing folders are made.
 */
import { lstatSync, mkdirSync, readdirSync, rmSync, type Stats } from "node:fs";
import { join } from "node:path";
import { describeError } from "../base/errors.ts";
import { copyUnsynced, isHalfWritten, writeUnsynced } from "../system/atomic-file.ts";
import { publishLedger } from "./ledger-copy.ts";

export interface PublishedFolder {
  readonly write: (name: string, text: string) => Promise<void>;
  /** Copies a file that was private so far; the copy is readable by its owner alone. */
  readonly copy: (name: string, source: string) => Promise<void>;
  /** The same of the journal, which only grows. */
  readonly copyJournal: (name: string, source: string) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
  /** Removes a folder with all that is in it; links in it are removed and not followed. */
  readonly removeFolder: (name: string) => Promise<void>;
}

export type PublishedFolderOpened =
  | { readonly kind: "ready"; readonly folder: PublishedFolder }
  | { readonly kind: "refused"; readonly path: string; readonly reason: string };

/** Opens a folder below the repository, and makes missing ones. */
export async function openPublishedFolder /** The repository, which is trusted to be a folder. */(
  root: string /** Relative to `root`, without `.` and `..`. */,
  path: string,
): Promise<PublishedFolderOpened> {
  const parts = path.split("/");
  if (parts.some((part) => ["", ".", ".."].includes(part)))
    return { kind: "refused", path, reason: "it is no plain path below the repository" };
  for (const depth of parts.keys()) {
    const step = join(root, ...parts.slice(0, depth + 1));
    const reason = makeFolder(step);
    if (reason !== null) return { kind: "refused", path: step, reason };
  }
  const at = (name: string) => join(root, path, name);
  removeHalfWritten(join(root, path));
  return {
    kind: "ready",
    folder: {
      write: (name, text) => writeUnsynced(at(name), text),
      copy: (name, source) => copyUnsynced(source, at(name), { mode: 0o600 }),
      copyJournal: (name, source) => publishLedger(source, at(name)),
      remove: async (name) => rmSync(at(name), { force: true }),
      removeFolder: async (name) => rmSync(at(name), { recursive: true, force: true }),
    },
  };
}

/** Only the holder of the lock publishes, so the writers of these files are gone. Obstacles are reported later. */
function removeHalfWritten(folder: string): void {
  try {
    for (const name of readdirSync(folder)) if (isHalfWritten(name)) rmSync(join(folder, name), { force: true });
  } catch {
    // A folder that cannot be read or changed shows with the first document.
  }
}

/** Null once there is an ordinary folder; otherwise the obstacle. */
function makeFolder(path: string): string | null {
  try {
    const stats = lstatOrMake(path);
    if (stats.isSymbolicLink()) return "it is a link";
    return stats.isDirectory() ? null : "it is not a folder";
  } catch (error) {
    return describeError(error);
  }
}

function lstatOrMake(path: string): Stats {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined) return stats;
  mkdirSync(path, { mode: 0o755 });
  return lstatSync(path);
}
