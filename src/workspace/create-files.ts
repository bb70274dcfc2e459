import { basename, join } from "node:path";
import type { MadeFile } from "../records/setup-answers.ts";
import { type NotReady, refuseNotReady } from "../records/command-failure.ts";
import { SELF_IGNORE } from "../config/workspace-layout.ts";
import { readBounded } from "../system/bounded-file.ts";
import { removeFile } from "../system/remove-own.ts";
import { makeFolders } from "../system/folders.ts";
import { createFile, findObstacle } from "../journal/workspace-files.ts";

/** Writes the missing files; existing ones stay. */
export async function createFiles(
  root: string /** A folder from the root, which is created first. */,
  folder: string /** By path from the root. */,
  texts: ReadonlyMap<string, string>,
): Promise<readonly MadeFile[] | NotReady> {
  const obstacle = await findObstacle(root, folder);
  if (obstacle !== null)
    return refuseNotReady(
      "workspace_unusable",
      `${obstacle.path} is in the way: it is not a folder.`,
      "Move it away first.",
    );
  makeFolders(join(root, folder));
  const files: MadeFile[] = [];
  for (const [path, text] of texts) {
    await removeSelfIgnore(join(root, path));
    files.push({ path, state: await createFile(join(root, path), text) });
  }
  return files;
}

/** Files that belong into git replace an ignore file that would hide them. */
async function removeSelfIgnore(path: string): Promise<void> {
  if (basename(path) !== ".gitignore") return;
  const read = await readBounded(path, SELF_IGNORE.length);
  if (read.kind === "read" && read.data.toString("utf8") === SELF_IGNORE) removeFile(path);
}
