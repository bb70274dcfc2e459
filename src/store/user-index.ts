/**
 * Changes the user's index, for exactly the paths that were settled.
 *
 * The new index is made from a copy, so every other entry keeps its flags. It is installed as git itself does it: the
 * lock file is created first, filled, and renamed over the index.
 */
import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { isAbsolute, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describeError, MeasurementError } from "../base/errors.ts";
import { readErrorCode } from "../system/read-files.ts";
import { syncNow } from "../system/sync-file.ts";
import type { FilterSettings } from "../git/filter-settings.ts";
import { type FilterView, listFilterCommands, withoutFilters } from "../git/filter-view.ts";
import { type GitAccess, runGit } from "../git/git.ts";
import type { GitSide } from "../git/git-difference.ts";
import type { Repository } from "../git/repository-layout.ts";
import { copyIndex, putEntries } from "./private-index.ts";

const LIST_BYTES_MAX = 64 * 1024 * 1024;
const LOCK_TRIES = 30;
const LOCK_WAIT_MS = 100;
/** A split index would name a second file that lies beside the copy. */
const WHOLE = ["-c", "core.splitIndex=false"];

/** Makes the new index beside the user's, which is only read. */
export async function editIndex(
  repository: Repository,
  view: FilterView /** Null removes the path from the index. */,
  entries: ReadonlyMap<string, GitSide | null>,
): Promise<string> {
  const { gitDir } = view.access;
  const indexFile = join(gitDir, "index");
  await copyIndex(repository, { gitDir, objectDirectory: "", indexFile: "" });
  const access: GitAccess = { ...view.access, indexFile, workTree: repository.root, cwd: repository.root };
  const gone = [...entries].flatMap(([path, side]) => (side === null ? [{ path, mode: "0", id: view.zeroId }] : []));
  const present = [...entries].flatMap(([path, side]) => (side === null ? [] : [{ path, ...side }]));
  // What is gone makes room for what is there now.
  await putEntries(access, [...gone, ...present], WHOLE);
  if (present.length === 0) return indexFile;
  // Notes the times of the files, so that git need not read them the next time.
  const env = withoutTreeFilters(access.env ?? {}, repository.root);
  await runGit({
    ...access,
    env: { ...env, GIT_LITERAL_PATHSPECS: "1" },
    args: [...WHOLE, "add", "--refresh", "--pathspec-from-file=-", "--pathspec-file-nul"],
    input: Buffer.from(present.map(({ path }) => `${path}\0`).join(""), "latin1"),
    outputBytesMax: LIST_BYTES_MAX,
  });
  return indexFile;
}

/**
 * The same variables without filters whose commands name a file in the working tree, because they would run as the
 * change has them. Their files count as modified until the person's own git looks at them.
 */
function withoutTreeFilters(env: FilterSettings["env"], root: string): FilterSettings["env"] {
  const filters = listFilterCommands(env).filter(({ command }) =>
    command.split(/[\s"';|&<>()=]+/).some((word) => isInTree(root, word)),
  );
  return withoutFilters(
    env,
    filters.map(({ filter }) => filter),
  );
}

function isInTree(root: string, word: string): boolean {
  if (word === "") return false;
  const path = isAbsolute(word) ? join(word) : join(root, word);
  return path.startsWith(`${root}/`) && lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

export type InstallIndex = (newIndex: string) => Promise<void>;

/** Keeps every other git from writing the index meanwhile. What is not installed leaves nothing behind. */
export async function withIndexLock<T>({ gitDir }: Repository, use: (install: InstallIndex) => Promise<T>): Promise<T> {
  const index = join(gitDir, "index");
  const path = `${index}.lock`;
  const mode = readMode(index);
  const lock = await openLock(path, mode & 0o777);
  let installed = false;
  try {
    const answer = await use(async (newIndex) => {
      writeFileSync(lock, readFileSync(newIndex));
      fsyncSync(lock);
      renameSync(path, index);
      installed = true;
    });
    // Also the names of the branch and of the objects, where the file system writes names in their order.
    if (installed) syncNow(gitDir);
    return answer;
  } finally {
    closeSync(lock);
    if (!installed) rmSync(path, { force: true });
  }
}

function readMode(path: string): number {
  try {
    return statSync(path).mode;
  } catch (error) {
    throw new MeasurementError(path, describeError(error));
  }
}

async function openLock(path: string, mode: number): Promise<number> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  for (let tries = 1; ; tries += 1) {
    try {
      return openSync(path, flags, mode);
    } catch (error) {
      if (readErrorCode(error) !== "EEXIST") throw error;
      if (tries >= LOCK_TRIES) throw new MeasurementError(path, "another git process holds it");
    }
    await delay(LOCK_WAIT_MS);
  }
}
