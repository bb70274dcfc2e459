/** Content that the store has lost, and where some of it may still be found. */
import { existsSync, readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { accessStore, ALTERNATES, type ContentStore, locateLargeFile } from "./content-store.ts";
import { openObjectReader, removeDamaged } from "../git/object-files.ts";
import { removeStrays } from "./remove-strays.ts";
import { runGit } from "../git/git.ts";
import { quoteStore } from "../git/git-environment.ts";

/** The ids that neither the store nor its alternates have. */
export async function listLostContent(store: ContentStore, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const asked = [...new Set(ids)];
  const isMany = asked.length > FEW_IDS;
  const missing = isMany ? listSmall(store, asked) : listUnfound(store, asked);
  if (missing.length === 0) return new Set();
  removeStrays(store);
  if (!isMany) for (const id of missing) removeDamaged(store.gitDir, id);
  return askAboutContent(store, missing);
}

/** For more of them a process of git is faster. */
const FEW_IDS = 1000;

function listUnfound(store: ContentStore, ids: readonly string[]): readonly string[] {
  const reader = openObjectReader(store.gitDir);
  const missing = ids.filter((id) => locateLargeFile(store, id) === null && !reader.has(id));
  reader.close();
  return missing;
}

/** Those that are not stored as large files. */
export function listSmall({ largeDir }: ContentStore, ids: Iterable<string>): readonly string[] {
  const large = new Set(readdirSync(largeDir));
  return [...ids].filter((id) => !large.has(id));
}

/** Git knows its alternates, too. */
async function askAboutContent(store: ContentStore, small: readonly string[]): Promise<ReadonlySet<string>> {
  const { stdout } = await runGit({
    ...accessStore(store),
    args: ["cat-file", "--batch-check=%(objectname)"],
    input: Buffer.from(small.map((id) => `${id}\n`).join("")),
    outputBytesMax: 64 * (small.length + 1),
  });
  const answers = stdout.toString("latin1").split("\n");
  return new Set(small.filter((id, index) => answers[index] !== id));
}

/**
 * Copies lost content from another object store. It is checked against its hash wherever it is read, so it does not
 * matter whose store it was.
 */
export async function takeOverContent(
  store: ContentStore,
  { ids, objects }: { readonly ids: ReadonlySet<string>; readonly objects: string },
): Promise<void> {
  const alternates = join(store.gitDir, ALTERNATES);
  if (!existsSync(objects)) return;
  await writeFile(alternates, `${quoteStore(objects)}\n`);
  try {
    const lost = await listLostContent(store, [...ids]);
    const found = [...ids].filter((id) => !lost.has(id));
    if (found.length === 0) return;
    await runGit({
      ...accessStore(store),
      args: ["pack-objects", "--quiet", join(store.gitDir, "objects", "pack", "pack")],
      input: Buffer.from(found.map((id) => `${id}\n`).join("")),
    });
  } finally {
    await writeFile(alternates, "");
  }
}
