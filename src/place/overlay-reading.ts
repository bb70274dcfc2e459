/**
 * What an overlay changes: only folders that its upper layer holds are visited, so the cost is that of the change and
 * not that of the repository.
 *
 * The marks of the upper layer (whiteouts, opaque folders) are not read: what the merged folder shows is the kernel's own
 * reading of them, and the worktree below is the other side. The upper layer only says where to look.
 */
import type { Entry, EntryType, Excess, GrowthCaps, Manifest } from "../base/manifest.ts";
import { joinBytes } from "../system/byte-path.ts";
import { readNames } from "../system/read-names.ts";
import type { ContentStore } from "../store/content-store.ts";
import { readClockMs } from "../system/clock.ts";
import { findEntryAt, walk } from "../system/walk.ts";
import { learnContent, limitExcess, type UnreadFile } from "../evidence/observe.ts";

/** Folders as byte strings. */
export interface OverlayLayers {
  /** The worktree itself. */
  readonly lower: string;
  readonly upper: string;
  /** What a program inside sees. */
  readonly merged: string;
}

export interface OverlayReading {
  readonly takenAt: number;
  readonly before: Manifest;
  readonly after: Manifest;
  /** Unchanged entries that a judge needs beside a change. */
  readonly around: Manifest;
  readonly excess: Excess | null;
  /** Whether the mounted overlay hides what is in its upper layer: somebody removed a folder below it. */
  readonly isStale: boolean;
}

export interface OverlayQuestion {
  readonly layers: OverlayLayers;
  readonly store: ContentStore;
  /** Saves reading unchanged files again. */
  readonly earlier: OverlayReading | null;
  readonly afterBuild: boolean;
  /** How much may be in the upper layer. */
  readonly caps: GrowthCaps;
}

export async function readOverlay(asked: OverlayQuestion): Promise<OverlayReading> {
  const { layers, store, earlier, afterBuild, caps } = asked;
  const takenAt = readClockMs();
  const { choose, around, isStale } = chooseEntries(layers);
  const look = (side: "before" | "after", force: boolean) => {
    const folder = side === "before" ? layers.lower : layers.merged;
    const known = earlier === null ? null : { manifest: earlier[side], takenAt: earlier.takenAt };
    const request = { folder, earlier: known, skipTopLevel: isGitFolder, select: choose[side], force };
    const { manifest, unread, excess } = walk(side === "after" ? { ...request, caps } : request);
    const files = unread.filter((path) => !around.has(path) || isIgnoreFile(path));
    return { manifest, unread: listUnread(files, { folder, manifest }), excess };
  };
  // A folder that a builder closed is opened first.
  const after = look("after", afterBuild);
  const before = look("before", false);
  const { excess } = after;
  const unread = [...before.unread, ...after.unread];
  await learnContent({ store, afterBuild }, excess === null ? unread : limitExcess(unread));
  const isAround = ([path]: readonly [string, Entry]): boolean => around.has(path);
  return {
    takenAt,
    before: new Map([...before.manifest].filter((one) => !isAround(one))),
    after: after.manifest,
    around: new Map([...before.manifest].filter(isAround)),
    excess,
    isStale: isStale(),
  };
}

function listUnread(
  paths: readonly string[],
  { folder, manifest }: { readonly folder: string; readonly manifest: Map<string, Entry> },
): readonly UnreadFile[] {
  return paths.flatMap((path) => {
    const entry = manifest.get(path);
    return entry === undefined ? [] : [{ file: { folder, path, entry, knownId: null }, manifest }];
  });
}

type Select = (folder: string, names: readonly string[]) => readonly string[];

/**
 * The entries of both sides. `around` are ignore files, nested repositories, and the neighbours of a new name, which may
 * collide with it.
 */
function chooseEntries({ upper, merged }: OverlayLayers) {
  const around = new Set<string>();
  const before: Select = (folder, names) => {
    if (around.has(folder)) return [];
    const changed = readNames(joinBytes(upper, folder));
    if (changed === null) return names; // The folder is gone, with everything in it.
    const present = readNames(joinBytes(merged, folder)) ?? new Set();
    const isGone = (name: string): boolean => changed.has(name) || !present.has(name);
    const known = new Set(names);
    const hasNew = [...changed].some((name) => present.has(name) && !known.has(name));
    const beside = names.filter((name) => !isGone(name) && (hasNew || isIgnoreFile(name) || name === ".git"));
    for (const name of beside) around.add(joinPath(folder, name));
    return [...names.filter(isGone), ...beside];
  };
  let hidden = 0;
  const after: Select = (folder, names) => {
    const changed = readNames(joinBytes(upper, folder)) ?? new Set();
    const shown = new Set(names);
    hidden += [...changed].filter((name) => !shown.has(name) && !isMark(upper, joinPath(folder, name))).length;
    return names.filter((name) => changed.has(name));
  };
  return { choose: { before, after }, around, isStale: () => hidden > 0 };
}

/** Marks say that something is removed. A program for overlays writes files with a prefix instead of devices. */
function isMark(upper: string, path: string): boolean {
  return findEntryAt(upper, path)?.type === "device" || /(?:^|\/)\.wh\.[^/]*$/u.test(path);
}

function joinPath(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

function isIgnoreFile(path: string): boolean {
  return path === ".gitignore" || path.endsWith("/.gitignore");
}

/** Git's own folder is read-only inside. */
function isGitFolder(name: string, type: EntryType): boolean {
  return name === ".git" && type === "directory";
}
