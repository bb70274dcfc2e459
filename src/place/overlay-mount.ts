/** The layers of an overlay, and the process that holds them mounted. */
import { join } from "node:path";
import type { EntrySide } from "../records/evidence.ts";
import type { Manifest } from "../base/manifest.ts";
import { InvariantError } from "../base/invariant.ts";
import { MeasurementError } from "../base/measurement-error.ts";
import type { ContentStore } from "../store/content-store.ts";
import { toBytePath } from "../system/byte-path.ts";
import { findEntryAt } from "../system/walk.ts";
import { type GrowthWatch, watchGrowth } from "../store/watch-growth.ts";
import { type MountHolder, openMountHolder } from "../sandbox/mount-holder.ts";
import { noteTree } from "../sandbox/place-folder.ts";
import { type ReadSecrets, rememberSecrets } from "../evidence/disk-secrets.ts";
import { readGrowthCaps } from "./growth-caps.ts";
import type { InPlaceOptions } from "./in-place.ts";
import type { OverlayLayers, OverlayLook } from "./overlay-look.ts";
import type { OverlayStart } from "./overlay-start.ts";
import type { Candidate } from "./workplace.ts";

export interface OverlayOptions extends InPlaceOptions {
  readonly runId: string;
  /** The branch that the series of the tick has, or would get. */
  readonly ownBranch: string;
  /** The workspace, from the root of the worktree. */
  readonly ownFolder: string;
  /** Carried by the processes of the place. */
  readonly marker: string;
}

interface OverlayMemory {
  holder: MountHolder | null;
  earlier: OverlayLook | null;
  /** What the builder changed and somebody else, too. */
  edited: readonly string[];
  start: OverlayStart | null;
  /** The paths of the judged change, as they were before it. */
  known: ReadonlyMap<string, EntrySide | null>;
  merged: Candidate | null;
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
