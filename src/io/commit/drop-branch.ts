import { accessRepository, runGit } from "../git/git.ts";
import { nameBranchRef } from "./move-branch.ts";
import type { Repository } from "../git/repository-layout.ts";

export interface DroppedBranch {
  readonly repository: Repository;
  /** The text of HEAD to restore; it names a branch. */
  readonly headText: string;
  /** The text of HEAD as it is now. */
  readonly droppedText: string;
  /** The branch is removed only if it is still at this commit. */
  readonly commit: string;
}

/** Switches HEAD back and removes a branch without commits of its own. The working tree and the index stay as they are. */
export async function dropBranch({ repository, headText, droppedText, commit }: DroppedBranch): Promise<void> {
  const access = accessRepository(repository);
  const [ref, dropped] = [nameBranchRef(headText), nameBranchRef(droppedText)];
  if (ref === null || dropped === null) return;
  await runGit({ ...access, args: ["symbolic-ref", "-m", "relais: back to the branch", "HEAD", ref] });
  await runGit({ ...access, args: ["update-ref", "-d", dropped, commit] });
}
