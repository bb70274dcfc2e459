import type { Entry, Manifest } from "../base/manifest.ts";
import { type ContentStore, readContents } from "../store/content-store.ts";
import { readIfUnchanged } from "../system/read-stable.ts";

export type Texts = (entry: Entry | undefined) => Buffer | null;

/**
 * Reads each wanted content once: from the folder if it still has that content,
 * which saves a process, and from the store otherwise.
 */
export async function readContentTexts(
  store: ContentStore /** The folder as it is now, as a byte string. */,
  folder: string,
  manifests: readonly Manifest[],
  isWanted: (path: string) => boolean,
): Promise<Texts> {
  const contents = new Map<string, Buffer>();
  const missing = new Map<string, number>();
  for (const manifest of manifests) {
    for (const [path, entry] of manifest) {
      if (entry.id === null || contents.has(entry.id) || !isWanted(path)) continue;
      const live = readIfUnchanged({ folder, path, entry });
      if (live === null) missing.set(entry.id, entry.size);
      else contents.set(entry.id, live);
    }
  }
  const wanted = [...missing].map(([id, size]) => ({ id, size })).filter(({ id }) => !contents.has(id));
  for (const [id, content] of await readContents(store, wanted)) contents.set(id, content);
  return (entry) => (entry === undefined || entry.id === null ? null : (contents.get(entry.id) ?? null));
}
