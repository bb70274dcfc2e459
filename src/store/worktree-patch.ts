import { join } from "node:path";
import { withTemporaryFolder } from "../system/temporary-folder.ts";
import { readFilterSettings } from "../git/filter-settings.ts";
import { runGit } from "../git/git.ts";
import { addWorktree } from "./private-index.ts";
import { adoptInfo, compareOnlyText, createPrivateRepository } from "../git/private-repository.ts";
import type { Repository } from "../git/repository-layout.ts";

interface WorktreeComparison {
  readonly repository: Repository;
  readonly base: string;
  /** A folder of the repository that is left out. */
  readonly without: string;
  readonly signal?: AbortSignal | undefined;
}

const PATCH_BYTES_MAX = 512 * 1024 * 1024;
const FORMAT =
  "diff-index --cached -p --binary --full-index --find-renames --no-color --no-ext-diff --no-textconv --src-prefix=a/ --dst-prefix=b/".split(
    " ",
  );

/** The working tree compared with a commit, new files included, through a private index: nothing of the user's is written. */
export async function readWorktreePatch(comparison: WorktreeComparison): Promise<Buffer> {
  const { repository, base, without, signal } = comparison;
  return withTemporaryFolder(repository.environment, async (folder) => {
    const own = await createPrivateRepository(join(folder, "git"), {
      objectFormat: base.length === 64 ? "sha256" : "sha1",
      alternates: [join(repository.commonDir, "objects")],
    });
    await adoptInfo(own, repository.commonDir);
    const settings = readFilterSettings(repository, signal);
    await addWorktree({ repository, privateRepository: own, settings, signal });
    await compareOnlyText(own);
    const { stdout } = await runGit({
      cwd: own.gitDir,
      environment: repository.environment,
      gitDir: own.gitDir,
      indexFile: own.indexFile,
      args: [...FORMAT, base, "--", ".", `:(top,exclude,literal)${without}`],
      outputBytesMax: PATCH_BYTES_MAX,
      signal,
    });
    return stdout;
  });
}
