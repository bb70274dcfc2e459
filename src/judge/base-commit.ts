/**
 * The commit that a change is compared with, each of its lists read once.
 *
 * What the change does not touch is context. Content that is missing here (a partial clone) or too large to compare is
 * left out and named: the change itself can still be judged.
 */
import { listPathNote } from "../base/words.ts";
import { decodePath } from "../base/path-names.ts";
import type { GitAccess } from "../git/git.ts";
import { listUncompared } from "./pure/judge.ts";
import type { MeasureObject, ReadObject } from "../git/git-objects.ts";
import { listTree, listTreeByGit, type TreeFile, walkTree } from "../git/tree-listing.ts";

export interface BaseCommit {
  readonly read: ReadObject;
  readonly measure: MeasureObject;
  /** Everything but folders, with byte paths. */
  readonly listEntries: () => Promise<readonly TreeFile[]>;
  /** Its ordinary files, with their paths as text. */
  readonly listFiles: () => Promise<readonly BaseFile[]>;
  /** The size of a file that is no part of the change; null where it is missing. */
  readonly measureContext: (file: BaseFile) => Promise<number | null>;
  /** The contents of files that are no part of the change, by id, where they are there and not larger. */
  readonly readContext: (files: readonly BaseFile[], bytesMax: number) => Promise<ReadonlyMap<string, Buffer>>;
  /** What was left out so far. */
  readonly listNotes: () => readonly string[];
}

export type BaseFile = Pick<TreeFile, "path" | "id">;

/** A process of git costs as much as so many folders that are read here. */
const FOLDERS_MAX = 64;

interface Objects {
  readonly access: GitAccess;
  readonly read: ReadObject;
  readonly measure: MeasureObject;
  readonly remembered: RememberedContents | undefined;
}

/** Contents by id, for one who judges many commits of one repository: most files are the same in all of them. */
export interface RememberedContents {
  readonly get: (id: string) => Buffer | undefined;
  readonly add: (id: string, content: Buffer) => void;
}

const REMEMBERED_BYTES_MAX = 128 * 1024 * 1024;

export function rememberContents(): RememberedContents {
  const contents = new Map<string, Buffer>();
  let bytes = 0;
  return {
    get: (id) => contents.get(id),
    add: (id, content) => {
      if (bytes + content.length > REMEMBERED_BYTES_MAX) {
        contents.clear();
        bytes = 0;
      }
      contents.set(id, content);
      bytes += content.length;
    },
  };
}

export function openBase(commit: string, { access, read, measure, remembered }: Objects): BaseCommit {
  const [missing, large]: [Set<string>, Set<string>] = [new Set(), new Set()];
  let entries: Promise<readonly TreeFile[]> | null = null;
  let files: Promise<readonly BaseFile[]> | null = null;
  const leaveOut = async (id: string, folder: string): Promise<boolean> => {
    if ((await measure(id)) !== null) return false;
    missing.add(folder);
    return true;
  };
  const listAll = async (): Promise<readonly TreeFile[]> =>
    (await walkTree(read, commit, leaveOut, FOLDERS_MAX)) ??
    // A clone may lack folders; then each one is read that is there.
    listTreeByGit(access, commit).catch(() => listTree(read, commit, leaveOut));
  const listEntries = (): Promise<readonly TreeFile[]> => (entries ??= listAll());
  const measureContext: BaseCommit["measureContext"] = async ({ path, id }) => {
    const size = await measure(id);
    if (size === null) missing.add(path);
    return size;
  };
  const readFile = async (file: BaseFile, bytesMax: number): Promise<readonly (readonly [string, Buffer])[]> => {
    const known = remembered?.get(file.id);
    if (known !== undefined && known.length <= bytesMax) return [[file.id, known]];
    const size = await measureContext(file);
    if (size === null) return [];
    if (size > bytesMax) large.add(file.path);
    const content = size > bytesMax ? null : (await read(file.id, bytesMax)).content;
    if (content !== null) remembered?.add(file.id, content);
    return content === null ? [] : [[file.id, content]];
  };
  return {
    read,
    measure,
    listEntries,
    listFiles: () => (files ??= listEntries().then(pickFiles)),
    measureContext,
    readContext: async (wanted, bytesMax) =>
      new Map((await Promise.all(wanted.map((file) => readFile(file, bytesMax)))).flat()),
    listNotes: () => [
      ...listPathNote("Not compared with, because this clone lacks the content", [...missing].toSorted()),
      ...listUncompared([...large].toSorted()),
    ],
  };
}

function pickFiles(entries: readonly TreeFile[]): readonly BaseFile[] {
  return entries.flatMap(({ mode, path, id }) => (mode.startsWith("100") ? [{ path: decodePath(path).text, id }] : []));
}
