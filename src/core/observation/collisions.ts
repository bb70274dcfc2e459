/**
 * Names that would be one file on a disk that folds case or normalises unicode.
 *
 * Each new path and each of its folders is compared with everything that exists; the answer names the other entry.
 */
export interface Collisions {
  /** The existing or new path that this new path cannot live beside, or null. */
  readonly with: (path: string) => string | null;
}

export function findCollisions(added: readonly string[], existing: Iterable<string>): Collisions {
  if (added.length === 0) return { with: () => null };
  const byFolded = new Map<string, string>();
  for (const path of existing) {
    for (const part of withFolders(path)) if (!byFolded.has(fold(part))) byFolded.set(fold(part), part);
  }
  return {
    with: (path) => {
      for (const part of withFolders(path)) {
        const other = byFolded.get(fold(part));
        if (other !== undefined && other !== part) return other;
        byFolded.set(fold(part), part);
      }
      return null;
    },
  };
}

function withFolders(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

function fold(path: string): string {
  return path.normalize("NFC").toLowerCase().normalize("NFC");
}
