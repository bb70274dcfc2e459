/** What the person's own git has started in the repository and not finished: an operation, or a lock file. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Repository } from "./repository-layout.ts";

export type GitOperation = "merge" | "rebase" | "cherry-pick" | "revert" | "bisect";

/** A rebase comes first: it also leaves the marks of the commits that it picks. */
const MARKS: readonly (readonly [string, GitOperation])[] = [
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["BISECT_LOG", "bisect"],
];

export function findGitOperation({ gitDir }: Pick<Repository, "gitDir">): GitOperation | null {
  return MARKS.find(([name]) => existsSync(join(gitDir, name)))?.[1] ?? null;
}

/** Lock files that keep git from writing its index, its configuration or the branch in `head`, the text of HEAD. */
export function listGitLockFiles(
  { gitDir, commonDir }: Pick<Repository, "gitDir" | "commonDir">,
  head: string,
): readonly string[] {
  const ref = /^ref: (?<ref>refs\/.+)$/s.exec(head.trim())?.groups?.["ref"];
  const places = [
    join(gitDir, "index.lock"),
    join(gitDir, "HEAD.lock"),
    join(commonDir, "config.lock"),
    join(commonDir, "packed-refs.lock"),
    ...(ref === undefined ? [] : [join(commonDir, `${ref}.lock`)]),
  ];
  return places.filter((place) => existsSync(place));
}
