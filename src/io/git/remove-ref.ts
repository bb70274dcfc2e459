import { accessRepository, runGit } from "./git.ts";
import type { Repository } from "./repository-layout.ts";

/** Removes a ref that is still at this commit. */
export async function removeRef(repository: Repository, ref: string, commit: string): Promise<void> {
  await runGit({ ...accessRepository(repository), args: ["update-ref", "-d", ref, commit] });
}
