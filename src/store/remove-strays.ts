import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { MeasurementError } from "../base/measurement-error.ts";
import { isFolder } from "../system/is-folder.ts";
import { removeDamaged } from "../git/object-files.ts";

interface StoreFolders {
  readonly gitDir: string;
  readonly largeDir: string;
}

/**
 * Removes everything from a store that is neither a file nor a folder. We never make such an entry, and git, or a copy of
 * a large file, would wait for a pipe in the place of a file without end.
 */
export function removeStrays({ gitDir, largeDir }: StoreFolders): void {
  const folders = [gitDir, largeDir].filter(isFolder);
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (!entry.isFile()) rmSync(path, { force: true });
    }
  }
}

/**
 * Looks where git would look for these objects, and refuses if somebody was there. What is damaged is removed: a content
 * that is missing is stored again by the next tick.
 */
export function refuseDamage(store: StoreFolders, ids: readonly string[]): void {
  const pack = join(store.gitDir, "objects", "pack");
  const packs = isFolder(pack) ? readdirSync(pack, { withFileTypes: true }) : [];
  const damaged = [...new Set(ids)].filter((id) => removeDamaged(store.gitDir, id));
  if (damaged.length === 0 && packs.every((entry) => entry.isFile())) return;
  removeStrays(store);
  throw new MeasurementError("content store", "something damaged stored contents");
}
