import type { Detection } from "../../contract/answers/initialised.ts";
import { join } from "node:path";
import { isProjectFile } from "../../core/checks/check-sources.ts";
import { detectProject } from "../../core/setup/project-detection.ts";
import { readBounded } from "../../io/files/bounded-file.ts";
import type { Repository } from "../../io/git/repository-layout.ts";
import { listFolder } from "../../io/workspace/workspace-files.ts";
import { listGitPaths } from "./list-git-paths.ts";

const TEST_FOLDERS = ["tests", "test"];
const PROJECT_FILE_BYTES_MAX = 1024 * 1024;
/** Paths of about a million files. */
const PATHS_BYTES_MAX = 128 * 1024 * 1024;

export async function findProject(repository: Repository): Promise<Detection> {
  const { root } = repository;
  const { files, folders } = await listFolder(root);
  const texts = new Map<string, string>();
  for (const name of [...files].filter(isProjectFile)) {
    const read = await readBounded(join(root, name), PROJECT_FILE_BYTES_MAX);
    if (read.kind === "read") texts.set(name, read.data.toString("utf8"));
  }
  const testFiles = new Set<string>();
  for (const folder of TEST_FOLDERS.filter((name) => folders.has(name)))
    for (const name of (await listFolder(join(root, folder))).files) testFiles.add(`${folder}/${name}`);
  return detectProject({ files, folders, testFiles, texts, tracked: await listTrackedPaths(repository) });
}

/** Before the first commit, files are often not staged yet. */
async function listTrackedPaths(repository: Repository): Promise<readonly string[]> {
  const list = (...options: string[]) =>
    listGitPaths(repository, { args: ["ls-files", "-z", ...options], outputBytesMax: PATHS_BYTES_MAX });
  const tracked = await list("--cached");
  return tracked.length > 0 ? tracked : list("--others", "--exclude-standard");
}
