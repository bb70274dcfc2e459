/** The index of a worktree, read from its file: the one way to find out what git tracks there. */
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { describeError, MeasurementError } from "../base/errors.ts";
import { readErrorCode, readNow } from "../system/read-files.ts";
import type { GitAccess } from "../git/git.ts";
import { type ReadObject, withObjects } from "../git/git-objects.ts";
import { listTree } from "../git/tree-listing.ts";
import type { IndexEntry } from "./git-index.ts";
import { readJoinedIndex } from "./index-extensions.ts";

const INDEX_BYTES_MAX = 1024 * 1024 * 1024;
const FOLDER_MODE = 0o40000;

export type IndexAccess = GitAccess & { readonly gitDir: string };

/** All entries in git's order; none where there is no index. A folder of a sparse index becomes the files in it. */
export async function readIndex(access: IndexAccess): Promise<readonly IndexEntry[]> {
  const entries = readEntries(access);
  if (!entries.some(({ mode }) => mode === FOLDER_MODE)) return entries;
  return withObjects(access, async (read) => (await Promise.all(entries.map((entry) => expand(read, entry)))).flat());
}

function readEntries({ gitDir, indexFile = join(gitDir, "index") }: IndexAccess): readonly IndexEntry[] {
  try {
    const bytes = readPart(indexFile);
    return bytes === null ? [] : readJoinedIndex(bytes, (id) => readPart(join(gitDir, `sharedindex.${id}`)));
  } catch (error) {
    throw error instanceof MeasurementError ? error : new MeasurementError(indexFile, describeError(error));
  }
}

/** Null where there is none. A person may have linked it to another place. */
function readPart(file: string): Buffer | null {
  try {
    return readNow(realpathSync(file), { bytesMax: INDEX_BYTES_MAX });
  } catch (error) {
    if (readErrorCode(error) === "ENOENT") return null;
    throw error;
  }
}

async function expand(read: ReadObject, entry: IndexEntry): Promise<readonly IndexEntry[]> {
  if (entry.mode !== FOLDER_MODE) return [entry];
  const files = await listTree(read, entry.id);
  return files.map(({ path, mode, id }) => ({
    ...entry,
    path: `${entry.path}${path}`,
    mode: Number.parseInt(mode, 8),
    id,
  }));
}

/** Whether git tracks the path, or a file below it. Both are byte paths. */
export async function isTracked(access: IndexAccess, path: string): Promise<boolean> {
  return (await readIndex(access)).some((entry) => entry.path === path || entry.path.startsWith(`${path}/`));
}
