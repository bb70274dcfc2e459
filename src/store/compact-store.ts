/**
 * Keeps the content store from growing for ever.
 *
 * Every tick adds content that is hardly ever needed again. `history prune` reduces the store to what something still
 * refers to: the store's own refs, which hold salvage and undo, and the saved observation. A tick does the same once the
 * store has doubled since then. Only the holder of the lock may do it, and only between two ticks.
 *
 * Everything that stays is on the disk in one new pack before anything goes, so a kill or a power cut at any moment
 * leaves too much, never too little.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { accessStore, type ContentStore, DURABLE_OBJECTS } from "./content-store.ts";
import { listLostContent, listSmall } from "./lost-content.ts";
import { syncNow } from "../system/sync-file.ts";
import { runGit } from "../git/git.ts";

const LISTING_BYTES_MAX = 1024 * 1024 * 1024;
/** A smaller store is left as it is at the end of a tick. */
const GROWN_BYTES_MIN = 16 * 1024 * 1024;
const BLOCK_BYTES = 512;

/** Whether the store takes twice the room that it took when it was last compacted. */
export function hasStoreGrown(store: ContentStore): boolean {
  const mark = locateMark(store);
  const last = existsSync(mark) ? Number(readFileSync(mark, "utf8")) : 0;
  return estimateStore(store) >= Math.max(GROWN_BYTES_MIN, 2 * last);
}

/** Drops everything but these contents and those of the refs; answers with the bytes that became free on the disk. */
export async function compactStore(store: ContentStore, liveIds: ReadonlySet<string>): Promise<number> {
  const before = measureStore(store);
  const pack = await packLive(store, liveIds);
  // A name that is not on the disk yet is no reason to remove anything.
  syncNow(join(store.gitDir, "objects", "pack"));
  removeOthers(store, pack, liveIds);
  const after = measureStore(store);
  writeFileSync(locateMark(store), `${after}`);
  return Math.max(0, before - after);
}

function locateMark(store: ContentStore): string {
  return join(store.gitDir, "compacted-bytes");
}

/** Answers with the name of the pack, null where nothing stays. */
async function packLive(store: ContentStore, liveIds: ReadonlySet<string>): Promise<string | null> {
  const access = accessStore(store);
  const args = ["rev-list", "--objects", "--all"];
  const reachable = await runGit({ ...access, args, outputBytesMax: LISTING_BYTES_MAX });
  const named = reachable.stdout
    .toString("latin1")
    .split("\n")
    .map((line) => line.slice(0, 40));
  const small = listSmall(store, liveIds);
  // An observation may name content that was lost long ago: then it does not hold any more, and the rest still stays.
  const lost = await listLostContent(store, small);
  const wanted = [...new Set([...named, ...small.filter((id) => !lost.has(id))])].filter((id) => id !== "");
  if (wanted.length === 0) return null;
  const { stdout } = await runGit({
    ...access,
    args: [
      ...DURABLE_OBJECTS,
      "-c",
      "pack.threads=1",
      "pack-objects",
      "--quiet",
      "--window=0",
      join(store.gitDir, "objects", "pack", "pack"),
    ],
    input: Buffer.from(wanted.map((id) => `${id}\n`).join("")),
  });
  return stdout.toString("latin1").trim();
}

function removeOthers(store: ContentStore, pack: string | null, liveIds: ReadonlySet<string>): void {
  const objects = join(store.gitDir, "objects");
  for (const name of readdirSync(join(objects, "pack")))
    if (pack === null || !name.startsWith(`pack-${pack}.`)) rmSync(join(objects, "pack", name), { force: true });
  for (const name of listSingleFolders(store)) rmSync(join(objects, name), { recursive: true });
  removeLarge(store, (id) => liveIds.has(id));
}

/** The index of a large repository is large itself, and another one in every tick: to drop these is often enough. */
export function removeLarge({ largeDir }: ContentStore, isLive: (id: string) => boolean): void {
  for (const id of readdirSync(largeDir)) if (!isLive(id)) rmSync(join(largeDir, id));
}

/** The folders of objects that are not in a pack. */
function listSingleFolders(store: ContentStore): readonly string[] {
  return readdirSync(join(store.gitDir, "objects")).filter((name) => /^[0-9a-f]{2}$/.test(name));
}

function measureStore(store: ContentStore): number {
  return measurePacked(store) + measureFolders(store, listSingleFolders(store));
}

/** Names are hashes, so a few folders of single objects tell how much is in the others: every tick asks. */
const SAMPLED = ["17", "57", "97", "d7"];
const SAMPLED_SHARE = 256 / SAMPLED.length;

function estimateStore(store: ContentStore): number {
  const sampled = SAMPLED.filter((name) => existsSync(join(store.gitDir, "objects", name)));
  return measurePacked(store) + SAMPLED_SHARE * measureFolders(store, sampled);
}

function measurePacked(store: ContentStore): number {
  return measureFolder(store.largeDir) + measureFolder(join(store.gitDir, "objects", "pack"));
}

function measureFolders(store: ContentStore, names: readonly string[]): number {
  return names.reduce((sum, name) => sum + measureFolder(join(store.gitDir, "objects", name)), 0);
}

/** What it takes on the disk: most single objects are shorter than a block. */
function measureFolder(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + BLOCK_BYTES * statSync(join(folder, name)).blocks, 0);
}
