import type { EntrySide } from "../records/evidence.ts";
import { decodePath } from "../base/path-names.ts";
import { type ContentStore, keepFiles } from "../store/content-store.ts";
import { findEntryAt } from "../system/walk.ts";

/** The entries at these paths as they are now, with their content in the store; null where nothing is. */
export async function readSides(
  store: ContentStore,
  folder: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, EntrySide | null>> {
  const found = paths.map((path) => ({ path, entry: findEntryAt(folder, path) }));
  const files = found.flatMap(({ path, entry }) => (entry?.type === "file" ? [{ folder, path, entry }] : []));
  const kept = await keepFiles(store, { files, sizeMax: null, force: false });
  const ids = new Map(files.map(({ path }, at) => [path, kept[at]?.id ?? null]));
  return new Map(
    found.map(({ path, entry }) => [
      path,
      entry && {
        type: entry.type,
        mode: entry.mode.toString(8).padStart(4, "0"),
        size: entry.size,
        id: ids.get(path) ?? null,
        link_target: entry.target === null ? null : decodePath(entry.target).text,
        hard_links: entry.hardLinks,
      },
    ]),
  );
}
