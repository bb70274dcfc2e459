import { join } from "node:path";
import { isWorkspaceName, SELF_IGNORE } from "../../core/setup/workspace-layout.ts";
import { makeFolders } from "../../io/files/make-folders.ts";
import { createFile, listFolder } from "../../io/workspace/workspace-files.ts";
import { listGitPaths } from "./list-git-paths.ts";
import type { Workspace } from "./workspace.ts";

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
  if (![...files, ...folders].every(isWorkspaceName)) return;
  const args = ["ls-files", "-z", "--", config.workspace_dir];
  const tracked = await listGitPaths(repository, { args, outputBytesMax: LIST_BYTES_MAX });
  if (tracked.length === 0) await createFile(join(folder, ".gitignore"), SELF_IGNORE);
}
