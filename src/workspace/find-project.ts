import type { Detection } from "../records/initialised.ts";
import { join } from "node:path";
import { isProjectFile } from "../checks/pure/check-sources.ts";
import { PYTHON_TEST_FILE, PYTHON_TEST_FILES_MAX } from "../checks/pure/unittest-checks.ts";
import { decodePath } from "../base/path-text.ts";
import { detectProject } from "../checks/pure/project-detection.ts";
import { readBounded } from "../system/bounded-file.ts";
import { accessRepository } from "../git/git.ts";
import type { Repository } from "../git/repository-layout.ts";
import { readIndex } from "../store/read-index.ts";
import { listGitPaths } from "./list-git-paths.ts";

const TEST_FILE = /^tests?\/[^/]+$/;
const PROJECT_FILE_BYTES_MAX = 1024 * 1024;
/** Paths of about a million files. */
const PATHS_BYTES_MAX = 128 * 1024 * 1024;

/** Files that git does not track are left out: a builder may have made them. */
export async function findProject(repository: Repository): Promise<Detection> {
  const tracked = await listTrackedPaths(repository);
  const files = new Set(tracked.filter((path) => !path.includes("/")));
  const folders = new Set(tracked.flatMap((path) => (path.includes("/") ? [path.slice(0, path.indexOf("/"))] : [])));
  const testFiles = new Set(tracked.filter((path) => TEST_FILE.test(path)));
  const texts = new Map<string, string>();
  const python = [...testFiles].filter((path) => PYTHON_TEST_FILE.test(path)).slice(0, PYTHON_TEST_FILES_MAX);
  for (const name of [...[...files].filter(isProjectFile), ...python]) {
    const read = await readBounded(join(repository.root, name), PROJECT_FILE_BYTES_MAX);
    if (read.kind === "read") texts.set(name, read.data.toString("utf8"));
  }
  return detectProject({ files, folders, testFiles, texts, tracked });
}

/** Before the first commit, files are often not staged yet. */
async function listTrackedPaths(repository: Repository): Promise<readonly string[]> {
  const tracked = await readIndex(accessRepository(repository));
  if (tracked.length > 0) return tracked.map(({ path }) => decodePath(path).text);
  const args = ["ls-files", "-z", "--others", "--exclude-standard"];
  return listGitPaths(repository, { args, outputBytesMax: PATHS_BYTES_MAX });
}
