import { accessRepository, runGit } from "./git.ts";
import type { Repository } from "./repository-layout.ts";

const HEADS = "refs/heads/";

/** The branch that HEAD leads to, through every symbolic ref on the way; null where it leads to none. */
export async function findCheckedOutBranch(repository: Repository): Promise<string | null> {
  const args = ["symbolic-ref", "--quiet", "HEAD"];
  const { stdout } = await runGit({ ...accessRepository(repository), args, okStatuses: [0, 1] });
  const ref = stdout.toString("utf8").replace(/\n$/, "");
  return ref.startsWith(HEADS) ? ref.slice(HEADS.length) : null;
}
