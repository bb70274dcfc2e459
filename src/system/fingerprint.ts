/**
 * One hash of everything in a folder. It shares no code with the observation of a tick on purpose, so that it can prove
 * that an observation is right.
 */
import { createHash } from "node:crypto";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";

/** Covers names, types, modes, contents and link targets of a folder, but for the paths that are left out. */
export async function takeFingerprint(folder: string, isLeftOut: (path: string) => boolean) {
  const paths = (await listBelow(folder, "")).filter((path) => !isLeftOut(path)).toSorted();
  const hash = createHash("sha256");
  let files = 0;
  for (const path of paths) {
    const { mode, isFolder, content } = await read(join(folder, path));
    if (!isFolder) files += 1;
    hash.update(JSON.stringify([path, mode, content.length])).update(content);
  }
  return { sha256: hash.digest("hex"), files };
}

/** Every path below a folder. Links are listed and not followed, which Node's own recursion does not promise. */
async function listBelow(folder: string, parent: string): Promise<readonly string[]> {
  const entries = await readdir(join(folder, parent), { withFileTypes: true });
  const lists = await Promise.all(
    entries.map(async (entry) => {
      const path = join(parent, entry.name);
      return entry.isDirectory() ? [path, ...(await listBelow(folder, path))] : [path];
    }),
  );
  return lists.flat();
}

async function read(path: string) {
  const stats = await lstat(path);
  const content = stats.isSymbolicLink()
    ? Buffer.from(await readlink(path))
    : stats.isFile()
      ? await readFile(path)
      : Buffer.alloc(0);
  return { mode: stats.mode, isFolder: stats.isDirectory(), content };
}
