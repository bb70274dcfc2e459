/** What lies in the tree of a commit. */
import { MeasurementError } from "../base/errors.ts";
import { type GitAccess, runGit } from "./git.ts";
import type { ReadObject } from "./git-objects.ts";

export interface TreeEntry {
  /** A byte string. */
  readonly name: string;
  readonly mode: string;
  readonly id: string;
}

export type TreeFile = Omit<TreeEntry, "name"> & { readonly path: string };

const TREE_BYTES_MAX = 256 * 1024 * 1024;
export const FOLDER_MODE = "40000";

/** A tree is a list of "mode name NUL id", the id in binary. `what` names it in a failure. */
export function parseTree(tree: Buffer, idBytes: number, what: string): readonly TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < tree.length;) {
    const space = tree.indexOf(0x20, at);
    const end = tree.indexOf(0, space);
    if (space === -1 || end === -1 || end + idBytes >= tree.length)
      throw new MeasurementError(what, "is not a readable tree");
    entries.push({
      mode: tree.toString("latin1", at, space),
      name: tree.toString("latin1", space + 1, end),
      id: tree.toString("hex", end + 1, end + 1 + idBytes),
    });
    at = end + 1 + idBytes;
  }
  return entries;
}

/** Whether the list may go on without a folder that could not be read. */
type LeaveOut = (id: string, folder: string) => Promise<boolean>;

/** Everything in the tree of a commit but its folders, in the order of an index. Paths are byte strings. */
export async function listTree(
  read: ReadObject,
  commit: string,
  mayLeaveOut: LeaveOut = async () => false,
): Promise<readonly TreeFile[]> {
  return (await walkTree(read, commit, mayLeaveOut, Infinity)) ?? [];
}

/** Null where there are more folders. */
export async function walkTree(
  read: ReadObject,
  commit: string,
  mayLeaveOut: LeaveOut,
  foldersMax: number,
): Promise<readonly TreeFile[] | null> {
  let folders = 0;
  const listFolder = async (name: string, folder: string): Promise<readonly TreeFile[]> => {
    folders += 1;
    if (folders > foldersMax) return [];
    const object = await read(name, TREE_BYTES_MAX).catch(async (error: unknown) => {
      if (folder !== "" && (await mayLeaveOut(name, folder))) return null;
      throw error;
    });
    if (object === null) return [];
    const { type, content } = object;
    if (type !== "tree" || content === null) throw new MeasurementError(`object ${name}`, "is not a readable tree");
    const entries = parseTree(content, commit.length / 2, `object ${name}`);
    const lists = await Promise.all(
      entries.map(async ({ name: own, mode, id }) => {
        const path = `${folder}${own}`;
        return mode === FOLDER_MODE ? listFolder(id, `${path}/`) : [{ path, mode, id }];
      }),
    );
    return lists.flat();
  };
  const files = await listFolder(`${commit}^{tree}`, "");
  return folders > foldersMax ? null : files;
}

const RECORD = /^(?<mode>[0-7]{6}) [a-z]+ (?<id>[0-9a-f]{40,64})\t(?<path>.+)$/su;

/** The same list by one process of git, which needs every folder to be there. */
export async function listTreeByGit(access: GitAccess, commit: string): Promise<readonly TreeFile[]> {
  const args = ["ls-tree", "-r", "-z", "--full-tree", commit];
  const { stdout } = await runGit({ ...access, args, outputBytesMax: TREE_BYTES_MAX });
  return stdout
    .toString("latin1")
    .split("\0")
    .slice(0, -1)
    .map((record) => {
      const { mode, id, path } = RECORD.exec(record)?.groups ?? {};
      if (mode === undefined || id === undefined || path === undefined)
        throw new MeasurementError("git ls-tree", "an unreadable list of files");
      return { mode, id, path };
    });
}

const PATHS_BYTES_MAX = 64 * 1024 * 1024;

/** The paths of the files in a tree as byte strings, or only those named and those below them. */
export async function listTreePaths(
  access: GitAccess,
  tree: string,
  named: readonly string[] = [],
): Promise<readonly string[]> {
  const args = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", tree, "--", ...named];
  const { stdout } = await runGit({ ...access, args, outputBytesMax: PATHS_BYTES_MAX });
  return stdout.toString("latin1").split("\0").slice(0, -1);
}
