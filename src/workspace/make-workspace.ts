import { join } from "node:path";
import { isWorkspaceName, SELF_IGNORE } from "../config/workspace-layout.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { readBounded } from "../system/bounded-file.ts";
import { toBytePath } from "../system/byte-path.ts";
import { makeFolders } from "../system/make-folders.ts";
import { accessRepository } from "../git/git.ts";
import { isTracked } from "../store/read-index.ts";
import { createFile, listFolder } from "../journal/workspace-files.ts";
import type { Workspace } from "./workspace.ts";

const IGNORE = ".gitignore";

/**
 * Makes the workspace folder with an ignore file that covers everything in it, itself included. A folder that is set up
 * in git stays as it is, and so does one with files of somebody else: git must go on showing them.
 */
export async function makeWorkspace({
  folder,
  repository,
  config,
}: Pick<Workspace, "folder" | "repository" | "config">) {
  makeFolders(folder);
  const { files, folders } = await listFolder(folder);
  const ignore = join(folder, IGNORE);
  const isCut = files.has(IGNORE) && (await isCutShort(ignore));
  const names = [...files, ...folders].filter((name) => !(isCut && name === IGNORE));
  if (!names.every(isWorkspaceName)) return;
  if (await isTracked(accessRepository(repository), toBytePath(config.workspace_dir))) return;
  if (isCut) await writeAtomic(ignore, SELF_IGNORE);
  else await createFile(ignore, SELF_IGNORE);
}

/** A kill or a full disk can cut the file short while it is made. Such a rest hides nothing. */
async function isCutShort(path: string): Promise<boolean> {
  const read = await readBounded(path, SELF_IGNORE.length);
  const text = read.kind === "read" ? read.data.toString("utf8") : null;
  return text !== null && text !== SELF_IGNORE && SELF_IGNORE.startsWith(text);
}
