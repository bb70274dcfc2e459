/**
 * Names that would be one file on a disk that ignores case or normalises unicode. Each new path and each of its folders
 * is compared with everything that exists.
 */
import { foldName } from "../../base/fold-name.ts";

export interface Collisions {
  readonly with: (path: string) => string | null;
}

export function findCollisions(added: readonly string[], existing: Iterable<string>): Collisions {
  if (added.length === 0) return { with: () => null };
  const byFolded = new Map<string, string>();
  for (const path of existing) {
    for (const part of withFolders(path)) if (!byFolded.has(foldName(part))) byFolded.set(foldName(part), part);
  }
  return {
    with: (path) => {
      for (const part of withFolders(path)) {
        const other = byFolded.get(foldName(part));
        if (other !== undefined && other !== part) return other;
        byFolded.set(foldName(part), part);
      }
      return null;
    },
  };
}

function withFolders(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
