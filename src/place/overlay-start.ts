import * as v from "valibot";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { type EntrySide, Head } from "../records/evidence.ts";
import type { Entry, Manifest, Observation } from "../base/manifest.ts";
import { decodePath } from "../base/path-names.ts";
import { toBytePath } from "../system/byte-path.ts";
import { readNow } from "../system/read-files.ts";
import type { RedoLog } from "../system/redo-log.ts";
import { readHead } from "../git/head.ts";
import type { Repository } from "../git/repository-layout.ts";
import { findEntryAt } from "../system/walk.ts";
import { readChangeTime } from "./tree-merge.ts";
import { InvariantError, MeasurementError } from "../base/errors.ts";
import type { ContentStore } from "../store/content-store.ts";
import { type GrowthWatch, watchGrowth } from "../store/watch-growth.ts";
import { type MountHolder, openMountHolder } from "../sandbox/mount-holder.ts";
import { noteTree } from "../sandbox/place-folder.ts";
import { type ReadSecrets, rememberSecrets } from "../evidence/disk-secrets.ts";
import { readGrowthCaps } from "./choose-place.ts";
import type { InPlaceOptions } from "./in-place.ts";
import type { OverlayLayers, OverlayReading } from "./overlay-reading.ts";
import type { Candidate } from "./workplace.ts";

/** What a tick in an overlay began with, and the moment by the clock of the file system. */

export interface OverlayStart {
  readonly head: Head;
  /** By the clock of the file system. */
  readonly atNs: bigint;
}

const START = "start.json";
const START_BYTES_MAX = 64 * 1024;
/** Nobody knows the moment: every file may have been edited since. */
export const UNKNOWN_START: OverlayStart = { head: { text: "", commit: null }, atNs: 0n };

/**
 * Answers with the hash of the file, for the journal. It is safe after the next sync of the redo log, which may write
 * the file again at another time. So the file names the moment.
 */
export async function writeOverlayStart(
  folder: string,
  redo: Pick<RedoLog, "write">,
  repository: Repository,
): Promise<string> {
  const head = await readHead(repository);
  const path = join(folder, START);
  redo.write(path, "");
  const entry = findEntryAt(toBytePath(folder), START);
  const at_ns = entry === null ? "0" : String(readChangeTime(entry));
  const text = `${JSON.stringify({ worktree: repository.root, head, at_ns })}\n`;
  redo.write(path, text);
  return hashText(text);
}

/** Null where the file is not the one of the journal. */
export function readOverlayStart(folder: string, sha256: string): OverlayStart | null {
  const entry = findEntryAt(toBytePath(folder), START);
  if (entry?.type !== "file") return null;
  const text = readNow(join(folder, START), { bytesMax: START_BYTES_MAX })?.toString("utf8") ?? "";
  if (hashText(text) !== sha256) return null;
  const { head, at_ns } = v.parse(StartFile, JSON.parse(text));
  return { head, atNs: BigInt(at_ns) };
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const StartFile = v.object({ head: Head, at_ns: v.pipe(v.string(), v.digits()) });

/**
 * The files of the worktree that somebody edited since: they are not what the builder began with. Without an earlier
 * side, nothing ever takes the edit for its content: neither a merge nor a salvage that is applied. `known` are the
 * sides before a judged change, which the runner itself may have restored.
 */
export function listEditedSince(
  before: Manifest,
  { start, known }: { readonly start: OverlayStart | null; readonly known: ReadonlyMap<string, EntrySide | null> },
): readonly string[] {
  if (start === null) return [];
  return [...before].flatMap(([path, entry]) =>
    entry.type === "directory" || readChangeTime(entry) <= start.atNs || isKnown(entry, known.get(path)) ? [] : [path],
  );
}

function isKnown(entry: Entry, side: EntrySide | null | undefined): boolean {
  const link = entry.target === null ? null : decodePath(entry.target).text;
  return side?.type === entry.type && side.id === entry.id && side.link_target === link;
}

/** The layers of an overlay, and the process that holds them mounted. */

export interface OverlayOptions extends InPlaceOptions {
  readonly runId: string;
  /** The branch that the series of the tick has, or would get. */
  readonly ownBranch: string;
  /** The workspace, from the root of the worktree. */
  readonly ownFolder: string;
  /** Carried by the processes of the place. */
  readonly marker: string;
}

export interface OverlayMemory {
  holder: MountHolder | null;
  earlier: OverlayReading | null;
  /** What the builder changed and somebody else, too. */
  edited: readonly string[];
  start: OverlayStart | null;
  /** The paths of the judged change, as they were before it. */
  known: ReadonlyMap<string, EntrySide | null>;
  merged: Candidate | null;
  /** What lay below, by byte path, where a trial put something else. */
  learnt: ReadonlyMap<string, Entry | null>;
  /** The last look at git's own data, which saves reading the same files again. */
  git: { readonly manifest: Manifest; readonly takenAt: number } | null;
  readonly readSecrets: ReadSecrets;
}

export interface Overlay extends OverlayOptions {
  readonly store: ContentStore;
  readonly folder: string;
  readonly memory: OverlayMemory;
}

export function makeOverlayMemory(): OverlayMemory {
  return {
    holder: null,
    earlier: null,
    edited: [],
    start: null,
    known: new Map(),
    merged: null,
    learnt: new Map(),
    git: null,
    readSecrets: rememberSecrets(),
  };
}

/** Everything that programs write goes to the upper layer, which is empty at first. */
export function watchUpper(overlay: Overlay): GrowthWatch {
  const folder = toBytePath(join(overlay.folder, "upper"));
  const top = findEntryAt(folder, "");
  const folders = top === null ? [] : [{ folder, earlier: new Map([["", top]]), skipped: null }];
  return watchGrowth(folders, readGrowthCaps(overlay));
}

export function requireHolder({ memory: { holder } }: Overlay): MountHolder {
  if (holder === null) throw new InvariantError("the workplace was not prepared");
  if (!holder.isAlive()) throw new MeasurementError("the overlay", "the process that held it has ended");
  return holder;
}

export function locateLayers(overlay: Overlay): OverlayLayers {
  const { root } = overlay.repository;
  return {
    lower: toBytePath(root),
    upper: toBytePath(join(overlay.folder, "upper")),
    merged: toBytePath(requireHolder(overlay).view(root)),
  };
}

export async function mountOverlay(overlay: Overlay): Promise<void> {
  const { repository, folder: layers, marker } = overlay;
  const { root: worktree, commonDir } = repository;
  const holder = await openMountHolder({ worktree, layers, readOnly: [commonDir], marker });
  if (holder.kind === "refused") throw new MeasurementError("the overlay", holder.reason);
  overlay.memory.holder = holder;
  noteTree(layers, holder.view(worktree));
}

/** What the paths of a partial observation are below it. */
export function requireBase({ base }: Observation): Manifest {
  if (base === undefined) throw new InvariantError("an observation of an overlay has no base");
  return base;
}

/** The worktrees of two partial observations, with the same paths in both; what only one of them knows is as below. */
export function completeSides(left: Observation, right: Observation): readonly [Observation, Observation] {
  const { git } = right;
  return [
    { ...left, git, worktree: complete(left, right) },
    { ...right, worktree: complete(right, left) },
  ];
}

function complete(partial: Observation, other: Observation): Manifest {
  const known = requireBase(partial);
  const added = [...requireBase(other)].filter(([path]) => !known.has(path) && !partial.worktree.has(path));
  return new Map([...partial.worktree, ...added]);
}
