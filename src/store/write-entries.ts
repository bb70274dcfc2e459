/**
 * Takes files and links of a working tree from one recorded state to another.
 *
 * Nothing is written until every path is known to be in its old state, nothing is reached through a link, and nothing
 * that is not listed is removed.
 */
import { lstatSync, readdirSync, rmdirSync } from "node:fs";
import type { EntrySide } from "../records/evidence.ts";
import type { Entry } from "../base/manifest.ts";
import { describeError, MeasurementError } from "../base/errors.ts";
import { joinBytes } from "../system/byte-path.ts";
import { readClockMs } from "../system/clock.ts";
import type { ContentStore } from "./content-store.ts";
import { readErrorCode } from "../system/read-files.ts";
import { isAsRecorded } from "./recorded-entry.ts";
import { restore } from "./restore.ts";

export interface EntryMove {
  /** A byte string, relative to the root. */
  readonly path: string;
  readonly from: EntrySide | null;
  readonly to: EntrySide | null;
}

interface TreeMoves {
  /** The working tree, as a byte string. */
  readonly root: string;
  readonly moves: readonly EntryMove[];
}

/** The paths that are not in the state that they are to leave, or that cannot be reached without following a link. */
export function listUnmovable({ root, moves }: TreeMoves): readonly string[] {
  const leaving = new Set(moves.filter(({ from }) => from !== null).map(({ path }) => path));
  return moves
    .filter(({ path, from, to }) => {
      if (!isReachable({ root, path, leaving })) return true;
      if (isAsRecorded(root, { path, side: from })) return false;
      return !(from === null && to !== null && holdsOnly({ root, path, leaving }));
    })
    .map(({ path }) => path);
}

interface MoveTarget {
  readonly root: string;
  readonly path: string;
  /** Paths that will be out of the way. */
  readonly leaving: ReadonlySet<string>;
}

function isReachable({ root, path, leaving }: MoveTarget): boolean {
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
    const folder = path.slice(0, at);
    const type = findType(root, folder);
    if (type === "none") return true;
    if (type !== "folder") return leaving.has(folder);
  }
  return true;
}

/** Whether a folder is there that will be gone when the listed paths have left. */
function holdsOnly({ root, path, leaving }: MoveTarget): boolean {
  if (findType(root, path) !== "folder") return leaving.has(path);
  const names = readdirSync(joinBytes(root, path), { encoding: "buffer" });
  return (
    names.length > 0 && names.every((name) => holdsOnly({ root, path: `${path}/${name.toString("latin1")}`, leaving }))
  );
}

function findType(root: string, path: string): "folder" | "none" | "other" {
  const absolute = joinBytes(root, path);
  try {
    return lstatSync(absolute).isDirectory() ? "folder" : "other";
  } catch (error) {
    if (readErrorCode(error) === "ENOENT" || readErrorCode(error) === "ENOTDIR") return "none";
    throw new MeasurementError(absolute.toString(), describeError(error));
  }
}

/** The caller has made sure that all moves are possible. */
export async function writeEntries({
  root,
  moves,
  store,
}: TreeMoves & { readonly store: ContentStore }): Promise<void> {
  const { uid, gid } = lstatSync(joinBytes(root, ""));
  const step = ({ path, side }: { readonly path: string; readonly side: EntrySide }) => ({
    path,
    entry: makeEntry(side, `${uid}:${gid}`),
  });
  const remove = moves
    .flatMap(({ path, from, to }) => (from !== null && from.type !== to?.type ? [{ path, side: from }] : []))
    .map(step)
    .toSorted((left, right) => (left.path < right.path ? 1 : -1));
  const made = moves.flatMap(({ path, to }) => (to === null ? [] : [{ path, side: to }])).map(step);
  const write = made.filter(({ entry }) => entry.type !== "directory");
  const nothing = { remove: [], createFolders: [], write: [], settle: [] };
  await restore({ folder: root, store, plan: { ...nothing, remove } });
  for (const { path } of remove) removeEmptyParents(root, path);
  const folders = listMissingFolders(
    root,
    write.map(({ path }) => path),
  );
  const createFolders = [
    ...folders.map((path) => step({ path, side: FOLDER })),
    ...made.filter(({ entry }) => entry.type === "directory"),
  ];
  await restore({
    folder: root,
    store,
    plan: { remove: [], createFolders, write, settle: [...write, ...createFolders] },
    isWhole: true,
  });
}

const FOLDER: EntrySide = {
  type: "directory",
  mode: "0755",
  size: 0,
  id: null,
  link_target: null,
  hard_links: 1,
};

/** An entry to be made now. A recorded mode counts without the bits that lend a file's owner to others. */
function makeEntry(side: EntrySide, owner: string): Entry {
  return {
    type: side.type === "symlink" || side.type === "directory" ? side.type : "file",
    mode: Number.parseInt(side.mode, 8) & 0o777,
    size: side.size,
    owner,
    hardLinks: 1,
    stamp: `0:${readClockMs()}000000:0`,
    id: side.id,
    target: side.link_target === null ? null : Buffer.from(side.link_target).toString("latin1"),
    forced: false,
  };
}

/** Folders above a removed path that hold nothing any more, as git removes them. */
function removeEmptyParents(root: string, path: string): void {
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    try {
      rmdirSync(joinBytes(root, path.slice(0, at)));
    } catch {
      return; // It holds something, or it is gone already.
    }
  }
}

function listMissingFolders(root: string, paths: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
      if (findType(root, path.slice(0, at)) === "none") folders.add(path.slice(0, at));
    }
  }
  return [...folders].toSorted();
}
