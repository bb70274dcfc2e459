import type { Entry, Manifest, Observation } from "../../base/manifest.ts";

/** The observation with these paths as they were before; they are byte strings. A folder that is new stays. */
export function rewind(now: Observation, before: Manifest, paths: readonly string[]): Observation {
  const worktree = new Map(now.worktree);
  for (const path of paths) {
    const was = before.get(path);
    if (was === undefined) worktree.delete(path);
    for (const above of was === undefined ? [] : [...listAbove(path), path]) {
      const entry = before.get(above);
      if (entry !== undefined && (above === path || !worktree.has(above))) worktree.set(above, entry);
    }
  }
  return { ...now, worktree };
}

/** The observation with other entries at these paths; null is nothing. */
export function replaceEntries(now: Observation, instead: ReadonlyMap<string, Entry | null>): Observation {
  return { ...now, worktree: putEntries(now.worktree, instead) };
}

/** A partial observation that also knows these paths, which are as below. */
export function learnBelow(now: Observation, below: ReadonlyMap<string, Entry | null>): Observation {
  const { worktree, base = new Map() } = now;
  const learnt = new Map([...below].filter(([path]) => !worktree.has(path) && !base.has(path)));
  return { ...now, worktree: putEntries(worktree, learnt), base: putEntries(base, learnt) };
}

/** Folders first, as in every manifest. */
function putEntries(manifest: Manifest, instead: ReadonlyMap<string, Entry | null>): Manifest {
  const entries = new Map(manifest);
  for (const [path, entry] of instead) {
    if (entry === null) entries.delete(path);
    else entries.set(path, entry);
  }
  return new Map([...entries].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** The folders above a path. */
export function listAbove(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
}

/** What the observation says of a path, as a byte string; `below` where it is partial and does not know it. */
export function findObserved({ worktree, base }: Observation, path: string): Entry | "below" | null {
  return worktree.get(path) ?? (base === undefined || base.has(path) ? null : "below");
}
