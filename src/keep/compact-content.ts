/** Reduces the content store between two ticks, by the holder of the lock. */
import { join } from "node:path";
import { describeError } from "../base/errors.ts";
import { dropPair, listPairNames } from "../store/change-pair.ts";
import { compactStore, hasStoreGrown, removeLarge } from "../store/compact-store.ts";
import type { ContentStore } from "../store/content-store.ts";
import { noteHeldContent } from "../store/store-names.ts";
import { isFolder } from "../system/read-files.ts";
import { locateKeptFolder } from "../store/rescue.ts";
import { loadObservation } from "../store/observation-file.ts";
import { listContentIds } from "../evidence/pure/compare-manifests.ts";
import { nameKeptRef } from "./keep-work.ts";

interface ContentPlace {
  readonly store: ContentStore;
  readonly stateDirectory: string;
}

/** Drops what neither salvage nor undo nor the saved observation refers to; answers with the freed bytes. */
export async function compactContent({ store, stateDirectory }: ContentPlace): Promise<number> {
  dropAbandonedPairs({ store, stateDirectory });
  const saved = loadObservation(join(stateDirectory, "observation"));
  const freed = await compactStore(store, saved === null ? new Set() : listContentIds(saved.observation));
  if (saved !== null) noteHeldContent(store, saved.sha256);
  return freed;
}

/** Only the large files: nothing but the saved observation refers to one. */
function dropLargeContent({ store, stateDirectory }: ContentPlace): void {
  const saved = loadObservation(join(stateDirectory, "observation"));
  if (saved === null) return;
  const named = listContentIds(saved.observation);
  removeLarge(store, (id) => named.has(id));
  noteHeldContent(store, saved.sha256);
}

/** The same once it has doubled, at the end of a tick: later, what is to land next may be in the store already. */
export async function compactGrownContent(place: ContentPlace): Promise<readonly string[]> {
  if (!hasStoreGrown(place.store)) return [];
  try {
    dropLargeContent(place);
    if (hasStoreGrown(place.store)) await compactContent(place);
    return [];
  } catch (error) {
    return [`${place.store.gitDir}: ${describeError(error)}`];
  }
}

/** A pair without its document cannot be found any more: a person removed the folder, or a process was killed. */
function dropAbandonedPairs({ store, stateDirectory }: ContentPlace): void {
  for (const kind of ["salvage", "accepted"] as const) {
    for (const name of listPairNames(store, nameKeptRef(kind, ""))) {
      const runId = name.replace(/-besides$/, "");
      if (!isFolder(locateKeptFolder(stateDirectory, kind, runId))) dropPair(store, nameKeptRef(kind, name));
    }
  }
}
