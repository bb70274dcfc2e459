/**
 * The place of one attempt: a copy of the worktree as it is, with ignored files such as installed packages, and git data
 * of its own.
 */
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { isWrittenByRelais } from "../config/workspace-layout.ts";
import { decodePath } from "../base/path-text.ts";
import { makeFolders } from "../system/make-folders.ts";
import { toBytePath } from "../system/byte-path.ts";
import { makeCloneGitData } from "../git/clone-git-data.ts";
import type { Repository } from "../git/repository-layout.ts";
import { walk } from "../system/walk.ts";
import { copyTree } from "../sandbox/copy-tree.ts";
import { makeJobFolder } from "../journal/job-folder.ts";
import type { JobPlace } from "./job-workspace.ts";

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
