/**
 * The place of one attempt: a copy of the worktree as it is, with ignored files such as installed packages, and git data
 * of its own.
 */
import { join } from "node:path";
import type { Config } from "../../contract/config/config.ts";
import { isWrittenByRelais } from "../../core/setup/workspace-layout.ts";
import { decodePath } from "../../core/paths/path-text.ts";
import { makeFolders } from "../../io/files/make-folders.ts";
import { toBytePath } from "../../io/files/byte-path.ts";
import { makeCloneGitData } from "../../io/git/clone-git-data.ts";
import type { Repository } from "../../io/git/repository-layout.ts";
import { walk } from "../../io/observe/walk.ts";
import { copyTree } from "../../io/place/copy-tree.ts";
import { makeJobFolder } from "../../io/queue/job-folder.ts";
import type { JobPlace } from "../queue/job-workspace.ts";

interface Original {
  readonly repository: Repository;
  readonly config: Config;
  /** Texts that the command reads, by name. */
  readonly files: Readonly<Record<string, string>>;
}

export async function prepareAttempt(place: JobPlace, { repository, config, files }: Original): Promise<void> {
  const make = async (folder: string): Promise<void> => {
    makeFolders(folder, 0o700);
    const from = toBytePath(repository.root);
    const { manifest } = walk({ folder: from, earlier: null, skipTopLevel: (name) => name === ".git", force: false });
    // Its lock and its history belong to the original.
    const copied = [...manifest].filter(([path]) => !isWrittenByRelais(decodePath(path).text, config));
    await copyTree({ from, to: toBytePath(folder), manifest: new Map(copied) });
    await makeCloneGitData(repository, join(folder, ".git"));
  };
  await makeJobFolder(place, { token: "1", make, note: "", ignored: {}, files });
}
