import type { Mount, Observation } from "../base/manifest.ts";
import type { ContentStore } from "../store/content-store.ts";
import { holdsNames, readHeldNames, recallNames, storeNames } from "../store/store-names.ts";
import type { Repository } from "../git/repository-layout.ts";
import { loadObservation } from "../store/observation-file.ts";
import { writeMounts } from "./mount-watch.ts";

export interface SignedPart {
  readonly repository: Repository;
  readonly store: ContentStore;
  readonly mounts: readonly Mount[];
}

/** For which worktree, with what mounted around it, an observation holds, and what the store must still have. */
export function signObservation({ repository, store, mounts }: SignedPart): string {
  const { root, commonDir } = repository;
  const worktree = Buffer.from(`${root}\0${commonDir}`).toString("hex");
  return [worktree, writeMounts(mounts), ...storeNames(store)].join(",");
}

/** Content may have been added to the store since, but none may be lost. */
export function holdsFor(saved: string, now: string): boolean {
  const [worktree, mounts, ...needed] = saved.split(",");
  const [worktreeNow, mountsNow, ...names] = now.split(",");
  return worktree === worktreeNow && mounts === mountsNow && holdsNames(needed, names);
}

/** What must be as it was for a saved observation: its signature, with the names of a store that was reduced to it. */
function readNeeded(store: ContentStore, saved: { readonly signature: string; readonly sha256: string }): string {
  const names = readHeldNames(store, saved.sha256);
  return names === null ? saved.signature : [...saved.signature.split(",").slice(0, 2), ...names].join(",");
}

interface RememberedPart extends SignedPart {
  readonly file: string;
  /** The hash in the journal; null remembers nothing. */
  readonly rememberedSha256: string | null;
}

/** The saved observation of an earlier tick; null where it is another one, or no longer holds. */
export function loadRemembered(request: RememberedPart): Observation | null {
  const earlier = loadObservation(request.file);
  if (earlier === null || earlier.sha256 !== request.rememberedSha256) return null;
  const needed = readNeeded(request.store, earlier);
  recallNames(request.store, needed.split(",").slice(2));
  return holdsFor(needed, signObservation(request)) ? earlier.observation : null;
}
