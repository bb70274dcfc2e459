import { commitPatch } from "../store/workspace-commit.ts";
import { readHead } from "../git/head.ts";
import type { Repository } from "../git/repository-layout.ts";

const DIFF_BYTES_MAX = 256 * 1024;

/** All changes since a commit, for reviewers: not every agent may run git. */
export async function readDiffSince(repository: Repository, from: string): Promise<string> {
  const { commit } = await readHead(repository);
  return commit === null ? "" : commitPatch(repository, from, commit, DIFF_BYTES_MAX);
}
