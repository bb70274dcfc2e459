/**
 * The one folder in the workspace where a session may write.
 *
 * It is made after the observation before the session and removed before the next one, together with the parents that
 * had to be made, so it never counts as a change. Its name cannot be guessed and is used once, so processes of earlier
 * sessions do not know it.
 */
import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { InvariantError, MeasurementError } from "../base/errors.ts";
import { writeNew } from "./atomic-file.ts";
import { toBytePath } from "./byte-path.ts";
import { readErrorCode } from "./read-files.ts";
import { findOpened, type LeftFile, listMissingFolders, readLeftFile, removeEmptyFolders } from "./left-file.ts";
import { liftPermissionsAround } from "./lift-permissions.ts";
import { removeTree } from "./remove-files.ts";

export interface DropFolder {
  /** As the session sees it. */
  readonly path: string;
  /** Puts a file there that must not exist yet, and answers with its path for the session. */
  readonly put: (name: string, text: string) => Promise<string>;
  readonly read: (name: string, bytesMax: number) => Promise<LeftFile>;
  /** Removes the folder with everything in it; it may be gone already. */
  readonly remove: () => Promise<void>;
}

export interface DropFolderOptions {
  /** The real path of the folder that the session works in, as this process reaches it. */
  readonly root: string;
  /** The same folder, as the session sees it. */
  readonly cwd: string;
  /** The workspace folder, relative to the root. */
  readonly workspaceDir: string;
  readonly dispatch: string;
}

const DISPATCH = /^[A-Za-z0-9_-]{8,80}$/;

/** A name for one session that nobody can guess. */
export function createDispatch(): string {
  return randomBytes(16).toString("hex");
}

export async function openDropFolder({ root, cwd, workspaceDir, dispatch }: DropFolderOptions): Promise<DropFolder> {
  if (!DISPATCH.test(dispatch)) throw new InvariantError(`${dispatch} cannot name a drop folder`);
  const folder = `${workspaceDir}/.tmp/${dispatch}`;
  const path = join(root, folder);
  const made = await listMissingFolders({ root, path: `${folder}/file` });
  if (!made.includes(folder)) throw new MeasurementError(path, "the drop folder exists already");
  for (const name of made) mkdirSync(join(root, name), { mode: name === workspaceDir ? 0o755 : 0o700 });
  return {
    path: join(cwd, folder),
    put: async (name, text) => {
      await writeNew(join(path, name), text, 0o600);
      return join(cwd, folder, name);
    },
    read: (name, bytesMax) => readLeftFile({ root, path: `${folder}/${name}` }, bytesMax),
    remove: async () => {
      // Nothing behind a link is ours.
      const found = await findOpened({ root, path: folder });
      if (found.kind === "entry") liftPermissionsAround(toBytePath(root))(toBytePath(folder), removeDrop);
      await removeEmptyFolders(root, made);
    },
  };
}

function removeDrop(absolute: Buffer): void {
  try {
    openTree(absolute);
    rmSync(absolute, { recursive: true, force: true });
  } catch (error) {
    // Too deep to be named in one call, or locked by a flag, which Node reports as ENOTDIR.
    const isOdd = ["ENAMETOOLONG", "EPERM", "ENOTDIR"].includes(readErrorCode(error) ?? "");
    if (!isOdd || !isRemoved(absolute)) throw error;
  }
  if (lstatSync(absolute, { throwIfNoEntry: false }) !== undefined)
    throw new MeasurementError(absolute.toString("utf8"), "the drop folder could not be removed");
}

function isRemoved(absolute: Buffer): boolean {
  try {
    removeTree(absolute);
    return true;
  } catch {
    return false;
  }
}

/** Restores the permissions that removing needs. Nothing is followed. */
function openTree(absolute: Buffer): void {
  const stats = lstatSync(absolute, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isDirectory()) return;
  if ((stats.mode & 0o700) !== 0o700) chmodSync(absolute, 0o700);
  for (const name of readdirSync(absolute, { encoding: "buffer" }))
    openTree(Buffer.concat([absolute, Buffer.from("/"), name]));
}
