/** How much a folder grew since an earlier manifest of it, and whether that is more than a tick may add. */
import type { Entry, Excess, GrowthCaps, Manifest } from "../base/manifest.ts";

export const NO_CAPS: GrowthCaps = { files: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

export interface Growth {
  /** Counts an entry as it is now, once. */
  readonly add: (path: string, entry: Pick<Entry, "type" | "size">) => void;
  /** How much may still be added. */
  readonly left: () => GrowthCaps;
  readonly hasTooManyFiles: () => boolean;
  /** When everything was added; null within the caps. */
  readonly findExcess: () => Excess | null;
}

/**
 * Every new name counts as a file. Bytes count in sum, so a repacked git directory has not grown. A sparse file counts
 * with its whole size: the next tick would have to read all of it.
 */
export function measureGrowth(earlier: Manifest, caps: GrowthCaps): Growth {
  let files = 0;
  let bytes = 0;
  for (const entry of earlier.values()) bytes -= countBytes(entry);
  return {
    add: (path, entry) => {
      if (!earlier.has(path)) files += 1;
      bytes += countBytes(entry);
    },
    left: () => ({ files: caps.files - files, bytes: caps.bytes - bytes }),
    hasTooManyFiles: () => files > caps.files,
    findExcess: () => {
      if (files > caps.files) return { kind: "files", max: caps.files };
      return bytes > caps.bytes ? { kind: "bytes", max: caps.bytes } : null;
    },
  };
}

function countBytes({ type, size }: Pick<Entry, "type" | "size">): number {
  return type === "file" ? size : 0;
}
