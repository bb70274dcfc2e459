/** The files of relais in a repository that belong into git. */
import { join } from "node:path";
import { MeasurementError } from "../base/measurement-error.ts";
import { type Config, CONFIG_NAME } from "../config/config.ts";
import { isOwnFile, SELF_IGNORE } from "../config/workspace-layout.ts";
import { readBounded } from "../system/bounded-file.ts";
import { isFile } from "../system/is-file.ts";
import { readFilterSettings } from "../git/filter-settings.ts";
import { listDirtyPaths } from "../git/git-status.ts";
import type { Repository } from "../git/repository-layout.ts";
import { listPathsNotInHead } from "../store/workspace-commit.ts";
import { listWorkspaceTemplate } from "../workspace/workspace-template.ts";

/** Whether the workspace ignores itself, as the first tick makes it. */
export async function isSelfIgnored(root: string, workspace: string): Promise<boolean> {
  const read = await readBounded(join(root, workspace, ".gitignore"), SELF_IGNORE.length);
  return read.kind === "read" && read.data.toString("utf8") === SELF_IGNORE;
}

interface OwnFilesRequest {
  readonly repository: Repository;
  readonly config: Config;
  readonly signal: AbortSignal;
}

/** The configuration and the files of the workspace that are new, or that a person changed. */
export async function listUncommittedFiles(request: OwnFilesRequest): Promise<readonly string[]> {
  const { repository, config, signal } = request;
  const { root } = repository;
  const dirty = (await listChangedPaths(request)).filter((path) => isOwnFile(path, config));
  // A rule of the repository may ignore some of them, so that git does not list them.
  const expected = [...(await listTemplatePaths(root, config)), CONFIG_NAME].filter((path) => isFile(join(root, path)));
  const fresh = await listPathsNotInHead({ repository, paths: expected, signal });
  return [...new Set([...fresh, ...dirty])].filter((path) => isFile(join(root, path)));
}

async function listTemplatePaths(root: string, { workspace_dir }: Config): Promise<readonly string[]> {
  if (await isSelfIgnored(root, workspace_dir)) return [];
  return listWorkspaceTemplate().map(({ name }) => `${workspace_dir}/${name}`);
}

/** None where git cannot compare, as with a filter whose program is missing: `init` has to work before it is fixed. */
async function listChangedPaths({ repository, signal }: OwnFilesRequest): Promise<readonly string[]> {
  try {
    const settings = await readFilterSettings(repository, signal);
    return await listDirtyPaths({ repository, settings, signal });
  } catch (error) {
    if (error instanceof MeasurementError && !signal.aborted) return [];
    throw error;
  }
}
