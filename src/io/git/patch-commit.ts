import { rmSync } from "node:fs";
import { join } from "node:path";
import { accessRepository, runGit } from "./git.ts";
import { setRef } from "./bundle.ts";
import type { Repository } from "./repository-layout.ts";

interface PatchCommit {
  readonly base: string;
  readonly patch: Buffer;
  readonly ref: string;
  readonly message: string;
}

const IDENTITY = {
  GIT_AUTHOR_NAME: "relais",
  GIT_AUTHOR_EMAIL: "relais@localhost",
  GIT_COMMITTER_NAME: "relais",
  GIT_COMMITTER_EMAIL: "relais@localhost",
} as const;

/** A commit of a patch on its base, under a ref of its own; false where git cannot apply it. */
export async function commitSavedWork(repository: Repository, change: PatchCommit): Promise<boolean> {
  const indexFile = join(repository.gitDir, "relais-patch-index");
  const access = { ...accessRepository(repository), indexFile, env: IDENTITY };
  try {
    await runGit({ ...access, args: ["read-tree", change.base] });
    const apply = ["apply", "--cached", "-p1", "--whitespace=nowarn"];
    const { status } = await runGit({ ...access, args: apply, input: change.patch, okStatuses: [0, 1, 128] });
    if (status !== 0) return false;
    const tree = (await runGit({ ...access, args: ["write-tree"] })).stdout.toString("latin1").trim();
    const args = ["commit-tree", tree, "-p", change.base, "-m", change.message];
    await setRef(repository, change.ref, (await runGit({ ...access, args })).stdout.toString("latin1").trim());
    return true;
  } finally {
    rmSync(indexFile, { force: true });
  }
}
