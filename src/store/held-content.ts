/**
 * The observation that the store was last reduced to, by its hash, and the names that the store had then: a reduced store
 * has other names, and still everything that this observation needs.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ContentStore } from "./content-store.ts";
import { storeNames } from "./store-names.ts";

/** After everything was removed from the store that this observation does not refer to. */
export function noteHeldContent(store: ContentStore, observationSha256: string): void {
  writeFileSync(locateNote(store), [observationSha256, ...storeNames(store)].join("\n"), { mode: 0o600 });
}

/** What the store must still have for this observation; null where it was last reduced to another one. */
export function readHeldNames(store: ContentStore, observationSha256: string): readonly string[] | null {
  const note = locateNote(store);
  const [observation, ...names] = existsSync(note) ? readFileSync(note, "utf8").split("\n") : [];
  return observation === observationSha256 ? names : null;
}

function locateNote({ gitDir }: ContentStore): string {
  return join(gitDir, "held-content");
}
