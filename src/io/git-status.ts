import type { FilterSettings } from "./filter-settings.ts";
import { runGit } from "./git.ts";
import type { Repository } from "./repository-layout.ts";

const STATUS_BYTES_MAX = 256 * 1024 * 1024;

/**
 * The paths that are not as HEAD has them, as the user's own `git status` would list them.
 *
 * Good enough to ask a person to tidy up before a tick; what a builder did is never asked of git.
 */
export async function dirtyPaths(
  repository: Repository,
  settings: FilterSettings,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const { stdout } = await runGit({
    args: [
      "status",
      "--porcelain=v1",
      "-z",
      "--untracked-files=all",
      "--ignore-submodules=none",
      "--no-renames",
    ],
    cwd: repository.root,
    gitDir: repository.gitDir,
    workTree: repository.root,
    env: settings.env,
    outputBytesMax: STATUS_BYTES_MAX,
    signal,
  });
  return stdout
    .toString("utf8")
    .split("\0")
    .filter((record) => record.length > 3)
    .map((record) => record.slice(3));
}
