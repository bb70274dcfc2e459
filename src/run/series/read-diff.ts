import { commitPatch } from "../../io/commit/commit-patch.ts";
import { readHead } from "../../io/git/read-head.ts";
import type { Repository } from "../../io/git/repository-layout.ts";

const DIFF_BYTES_MAX = 256 * 1024;

/** All changes since a commit, for reviewers: not every agent may run git. */
export async function readDiffSince(repository: Repository, from: string): Promise<string> {
  const { commit } = await readHead(repository);
  return commit === null ? "" : commitPatch({ repository, from, to: commit, bytesMax: DIFF_BYTES_MAX });
}
