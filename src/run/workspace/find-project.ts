import type { Detection } from "../../contract/answers/initialised.ts";
import { join } from "node:path";
import { isProjectFile } from "../../core/checks/check-sources.ts";
import { detectProject } from "../../core/setup/project-detection.ts";
import { readBounded } from "../../io/files/bounded-file.ts";
import { listFolder } from "../../io/workspace/workspace-files.ts";

const TEST_FOLDERS = ["tests", "test"];
const PROJECT_FILE_BYTES_MAX = 1024 * 1024;

export async function findProject(root: string): Promise<Detection> {
  const { files, folders } = await listFolder(root);
  const texts = new Map<string, string>();
  for (const name of [...files].filter(isProjectFile)) {
    const read = await readBounded(join(root, name), PROJECT_FILE_BYTES_MAX);
    if (read.kind === "read") texts.set(name, read.data.toString("utf8"));
  }
  const testFiles = new Set<string>();
  for (const folder of TEST_FOLDERS.filter((name) => folders.has(name)))
    for (const name of (await listFolder(join(root, folder))).files) testFiles.add(`${folder}/${name}`);
  return detectProject({ files, folders, testFiles, texts });
}
