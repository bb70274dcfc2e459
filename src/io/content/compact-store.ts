/**
 * Keeps the content store from growing for ever.
 *
 * Every observation adds content that is hardly ever needed again. Once the store has doubled since it was last
 * compacted, it is reduced to the content of the current observation and of the store's own refs.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { accessStore, type ContentStore } from "./content-store.ts";
import { runGit } from "../git/git.ts";

const LISTING_BYTES_MAX = 1024 * 1024 * 1024;

export interface CompactRequest {
  /** The ids that must stay; asked for only where something is done. */
  readonly liveIds: () => ReadonlySet<string>;
  readonly bytesMin: number;
}

/** Reduces the store if it has grown enough, and says whether it did. */
export async function compactStore(store: ContentStore, { liveIds, bytesMin }: CompactRequest): Promise<boolean> {
  const mark = join(store.gitDir, "compacted-bytes");
  const last = existsSync(mark) ? Number(readFileSync(mark, "utf8")) : 0;
  if (measureStore(store) < Math.max(bytesMin, 2 * last)) return false;
  const live = liveIds();
  for (const id of readdirSync(store.largeDir)) if (!live.has(id)) rmSync(join(store.largeDir, id));
  await repack(store, live);
  writeFileSync(mark, `${measureStore(store)}`);
  return true;
}

async function repack(store: ContentStore, live: ReadonlySet<string>): Promise<void> {
  const access = accessStore(store);
  // Earlier versions compared contents under these refs, which keep nothing that is needed.
  for (const name of ["before", "after"]) rmSync(join(store.gitDir, "refs", "relais", name), { force: true });
  const args = ["rev-list", "--objects", "--all"];
  const reachable = await runGit({ ...access, args, outputBytesMax: LISTING_BYTES_MAX });
  const named = reachable.stdout
    .toString("latin1")
    .split("\n")
    .map((line) => line.slice(0, 40));
  const small = [...live].filter((id) => !existsSync(join(store.largeDir, id)));
  const wanted = [...new Set([...named, ...small])].filter((id) => id !== "");
  const folder = join(store.gitDir, "objects");
  const { stdout } = await runGit({
    ...access,
    args: ["pack-objects", "--quiet", "--window=0", join(folder, "pack", "pack")],
    input: Buffer.from(wanted.map((id) => `${id}\n`).join("")),
  });
  // Only now that the new pack is complete may the old ones go.
  const kept = stdout.toString("latin1").trim();
  for (const name of readdirSync(join(folder, "pack"))) {
    if (!name.startsWith(`pack-${kept}.`)) rmSync(join(folder, "pack", name), { force: true });
  }
  for (const name of readdirSync(folder))
    if (/^[0-9a-f]{2}$/.test(name)) rmSync(join(folder, name), { recursive: true });
}

/** Every sixteenth of the folders with single objects: names are hashes, so the others have as much in them. */
const SAMPLED = /^[0-9a-f]7$/;
const SAMPLED_SHARE = 16;

/** Exact for packs and large files, and estimated for single objects, because every tick asks. */
function measureStore(store: ContentStore): number {
  const objects = join(store.gitDir, "objects");
  const loose = readdirSync(objects).filter((name) => SAMPLED.test(name));
  const single = loose.reduce((sum, name) => sum + measureFolder(join(objects, name)), 0);
  return measureFolder(store.largeDir) + measureFolder(join(objects, "pack")) + SAMPLED_SHARE * single;
}

function measureFolder(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
