import { decodePath } from "../base/path-text.ts";
import type { ReadObject } from "../git/git-objects.ts";
import { listTree, type TreeFile } from "../git/tree-listing.ts";

/** The commit that a change is compared with, each of its lists read once. */
export interface BaseCommit {
  readonly read: ReadObject;
  /** Everything but folders, with byte paths. */
  readonly listEntries: () => Promise<readonly TreeFile[]>;
  /** Its ordinary files, with their paths as text. */
  readonly listFiles: () => Promise<readonly BaseFile[]>;
}

type BaseFile = Pick<TreeFile, "path" | "id">;

export function openBase(commit: string, read: ReadObject): BaseCommit {
  let entries: Promise<readonly TreeFile[]> | null = null;
  let files: Promise<readonly BaseFile[]> | null = null;
  const listEntries = (): Promise<readonly TreeFile[]> => (entries ??= listTree(read, commit));
  return {
    read,
    listEntries,
    listFiles: () => (files ??= listEntries().then(pickFiles)),
  };
}

function pickFiles(entries: readonly TreeFile[]): readonly BaseFile[] {
  return entries.flatMap(({ mode, path, id }) => (mode.startsWith("100") ? [{ path: decodePath(path).text, id }] : []));
}
