import { join } from "node:path";
import { isWorkspaceName, SELF_IGNORE } from "../../core/setup/workspace-layout.ts";
import { writeAtomic } from "../../io/files/atomic-file.ts";
import { readBounded } from "../../io/files/bounded-file.ts";
import { makeFolders } from "../../io/files/make-folders.ts";
import { createFile, listFolder } from "../../io/workspace/workspace-files.ts";
import { listGitPaths } from "./list-git-paths.ts";
import type { Workspace } from "./workspace.ts";

const IGNORE = ".gitignore";
const LIST_BYTES_MAX = 16 * 1024 * 1024;

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
  const args = ["ls-files", "-z", "--", config.workspace_dir];
  const tracked = await listGitPaths(repository, { args, outputBytesMax: LIST_BYTES_MAX });
  if (tracked.length > 0) return;
  if (isCut) await writeAtomic(ignore, SELF_IGNORE);
  else await createFile(ignore, SELF_IGNORE);
}

/** A kill or a full disk can cut the file short while it is made. Such a rest hides nothing. */
async function isCutShort(path: string): Promise<boolean> {
  const read = await readBounded(path, SELF_IGNORE.length);
  const text = read.kind === "read" ? read.data.toString("utf8") : null;
  return text !== null && text !== SELF_IGNORE && SELF_IGNORE.startsWith(text);
}
