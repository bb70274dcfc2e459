import {
  realpathSync,
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import type { Mount } from "../base/manifest.ts";
import { toBytePath } from "../system/byte-path.ts";
import { runOnPaths } from "../system/run-on-paths.ts";
import { listMounts } from "../system/mounts.ts";
import { dirname, join } from "node:path";
import { makeFolders } from "../system/folders.ts";
import type { RedoLog } from "../system/redo-log.ts";
import { removeEmptyFolder } from "../system/remove-own.ts";
import { removeTree } from "../system/remove-files.ts";

/** Busy or not: a process of the tick may still have a file open there. */
const UNMOUNT = process.platform === "darwin" ? ["umount", "-f"] : ["umount", "--lazy", "--"];

/**
 * Unmounts everything below a folder that is about to be removed: whatever a builder mounted there belongs to somebody
 * else. Answers with the mounts that stay.
 */
export async function unmountBelow(folder: string): Promise<readonly Mount[]> {
  const around = toBytePath(realpathSync(folder));
  const listBelow = async () =>
    (await listMounts()).filter(({ point }) => point === around || point.startsWith(`${around}/`));
  // The last one lies on top.
  for (const { point } of (await listBelow()).toReversed()) runOnPaths(UNMOUNT, [Buffer.from(point, "latin1")]);
  return listBelow();
}

const PLACES = "places";

/** The folder of the place of one tick: the layers of its overlay, or its clone. */
export function locatePlace(stateDirectory: string, runId: string): string {
  return join(stateDirectory, PLACES, runId);
}

/** The merged worktree has the owner and the mode of its upper layer, so that one gets those of the worktree. */
export function makeLayers(folder: string, worktree: string): void {
  // After a kill, the kernel's own folder is left there, which an ordinary user may not read.
  for (const name of ["lower", "work"]) removeTree(Buffer.from(join(folder, name)));
  makeFolders(join(folder, "work"), 0o700);
  // Mount options name this link, whatever is in the name of the worktree.
  symlinkSync(worktree, join(folder, "lower"));
  const upper = join(folder, "upper");
  if (existsSync(upper)) return;
  makeFolders(upper, 0o700);
  const { uid, gid, mode } = lstatSync(worktree);
  if (process.getuid?.() === 0) chownSync(upper, uid, gid);
  chmodSync(upper, mode & 0o7777);
}

const TREE = "tree.path";

/** Notes where other processes of this user find the worktree of the place while its tick runs. */
export function noteTree(folder: string, tree: string): void {
  writeFileSync(join(folder, TREE), tree, { mode: 0o600 });
}

/** Null where the tick works in the worktree itself, or has ended. */
export function findPlaceTree(stateDirectory: string, runId: string): string | null {
  const file = join(locatePlace(stateDirectory, runId), TREE);
  const tree = existsSync(file) ? readFileSync(file, "utf8") : null;
  return tree !== null && existsSync(tree) ? tree : null;
}

/** The same of an overlay, if it is mounted: elsewhere the noted folder is the worktree itself. */
export function findMountedTree(stateDirectory: string, runId: string, worktree: string): string | null {
  const tree = findPlaceTree(stateDirectory, runId);
  return tree === null || statSync(tree).dev === statSync(worktree).dev ? null : tree;
}

/** The places that ticks left behind, by run. */
export function listPlaces(stateDirectory: string): readonly string[] {
  const folder = join(stateDirectory, PLACES);
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
}

/** Removes the place of one tick. Another one may wait for its recovery. */
export async function removePlace(folder: string, redo: Pick<RedoLog, "forget">): Promise<void> {
  await removeUnmounted(folder);
  removeEmptyFolder(Buffer.from(dirname(folder)));
  redo.forget(folder);
}

/** Removes every place. Only for the holder of the lock: no other tick works then. */
export async function removePlaces(stateDirectory: string): Promise<void> {
  await removeUnmounted(join(stateDirectory, PLACES));
}

/** Where something stays mounted, the folder stays, too: removing it would remove what the mount shows. */
async function removeUnmounted(folder: string): Promise<void> {
  if (existsSync(folder) && (await unmountBelow(folder)).length === 0) removeTree(Buffer.from(folder));
}
