import { computeBlobId } from "../files/blob-id.ts";
import { type FileToKeep, type Kept, LARGE_BYTES } from "./content-store.ts";
import { computeLargeId } from "../files/large-file.ts";
import { readStable } from "../files/read-stable.ts";

/**
 * Finds out which files still are what is known of them. Nothing is stored, so it works where there is no room.
 *
 * A file that cannot be what is known is not read, and its id stays null.
 */
export function identifyFiles(files: readonly FileToKeep[], force: boolean): readonly Kept[] {
  return files.map((file) => {
    if (file.knownId === null || file.knownId === undefined) return { id: null, forced: false };
    if (file.entry.size >= LARGE_BYTES) return computeLargeId(file, force);
    const { content, forced } = readStable(file, force);
    return { id: computeBlobId(content), forced };
  });
}
