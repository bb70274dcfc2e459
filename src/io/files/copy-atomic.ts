import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, lstat, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncFolder } from "./atomic-file.ts";

const { COPYFILE_EXCL, COPYFILE_FICLONE } = constants;

/** Copies an ordinary file of any size, like `writeAtomic`: whole or not at all. A link is refused, not followed. */
export async function copyAtomic(source: string, target: string, { mode }: { readonly mode: number }): Promise<void> {
  if (!(await lstat(source)).isFile()) throw new Error(`${source} is not an ordinary file`);
  const temporary = join(dirname(target), `.relais-${randomBytes(12).toString("hex")}.tmp`);
  try {
    await copyFile(source, temporary, COPYFILE_EXCL | COPYFILE_FICLONE);
    await settle(temporary, mode);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(target));
}

async function settle(path: string, mode: number): Promise<void> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}
