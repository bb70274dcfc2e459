import { rmSync } from "node:fs";
import { join } from "node:path";
import { commitTree } from "./commit-tree.ts";
import { accessRepository, askGit, runGit } from "./git.ts";
import { moveRef } from "./move-ref.ts";
import type { Repository } from "./repository-layout.ts";

interface PatchCommit {
  readonly base: string;
  readonly patch: Buffer;
  readonly ref: string;
  readonly message: string;
}

const IDENTITY = { name: "relais", email: "relais@localhost" };

/** A commit of a patch on its base, under a ref of its own; false where git cannot apply it. */
export async function commitSavedWork(
  repository: Repository,
  { base, patch, ref, message }: PatchCommit,
): Promise<boolean> {
  const indexFile = join(repository.gitDir, "relais-patch-index");
  const access = { ...accessRepository(repository), indexFile };
  try {
    await runGit({ ...access, args: ["read-tree", base] });
    const apply = ["apply", "--cached", "-p1", "--whitespace=nowarn"];
    const { status } = await runGit({ ...access, args: apply, input: patch, okStatuses: [0, 1, 128] });
    if (status !== 0) return false;
    const tree = await askGit({ ...access, args: ["write-tree"] });
    const to = await commitTree(access, { tree, parent: base, message: `${message}\n`, identity: IDENTITY });
    await moveRef(repository, { ref, to, reason: "relais: a job" });
    return true;
  } finally {
    rmSync(indexFile, { force: true });
  }
}
