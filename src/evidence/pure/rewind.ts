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

/** The folders above a path. */
export function listAbove(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
}

/** What the observation says of a path, as a byte string; `below` where it is partial and does not know it. */
export function findObserved({ worktree, base }: Observation, path: string): Entry | "below" | null {
  return worktree.get(path) ?? (base === undefined || base.has(path) ? null : "below");
}
