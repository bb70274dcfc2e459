import { readdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";

export interface StaleRequest {
  readonly root: string;
  readonly folder: string;
  /** Decides by the path relative to the root. */
  readonly isStale: (path: string) => boolean;
}

/** Removes half-written files directly in a folder. Folders and links are left alone. */
export function removeStaleFiles({ root, folder, isStale }: StaleRequest): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile() && isStale(relative(root, path))) rmSync(path, { force: true });
  }
}
