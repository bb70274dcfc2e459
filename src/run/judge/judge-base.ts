import { decodePath } from "../../core/paths/path-text.ts";
import type { MeasureObject, ReadObject } from "../../io/git/git-objects.ts";
import { listTree, type TreeFile } from "../../io/git/tree-listing.ts";
import type { ContentFile } from "../evidence/forbidden-content.ts";

/** The commit that a change is compared with, each of its lists read once. */
export interface BaseCommit {
  readonly read: ReadObject;
  /** Everything but folders, with byte paths. */
  readonly listEntries: () => Promise<readonly TreeFile[]>;
  /** Its ordinary files. */
  readonly listFiles: () => Promise<readonly ContentFile[]>;
}

export function openBase(commit: string, read: ReadObject, measure: MeasureObject): BaseCommit {
  let entries: Promise<readonly TreeFile[]> | null = null;
  let files: Promise<readonly ContentFile[]> | null = null;
  const listEntries = (): Promise<readonly TreeFile[]> => (entries ??= listTree(read, commit));
  return {
    read,
    listEntries,
    listFiles: () => (files ??= listEntries().then((all) => measureFiles(all, measure))),
  };
}

function measureFiles(entries: readonly TreeFile[], measure: MeasureObject): Promise<readonly ContentFile[]> {
  const files = entries.filter(({ mode }) => mode.startsWith("100"));
  return Promise.all(
    files.map(async ({ path, id }) => ({ id, size: (await measure(id)).size, path: decodePath(path).text })),
  );
}
