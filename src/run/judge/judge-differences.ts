import type { GitAccess } from "../../io/git/git.ts";
import { listGitDifference, type GitDifference } from "../../io/git/git-difference.ts";
import type { JudgedSubject } from "./judge-request.ts";

/**
 * Lists what the change consists of.
 *
 * Where histories were merged into each other both ways there is more than one commit to compare with, and each
 * explains only a part of what the end has: what one of them has already may undo the other. So every path counts that
 * differs from any of them. Left out is only what the other side has in the same way, because a merge cannot bring it.
 */
export async function listDifferences(
  { base, otherBases, head, rules }: JudgedSubject,
  access: GitAccess,
): Promise<readonly GitDifference[]> {
  if (otherBases.length === 0) return listGitDifference(access, { from: base, to: head });
  const brought = new Set((await listGitDifference(access, { from: rules.commit, to: head })).map(readPath));
  const largest = new Map<string, GitDifference>();
  for (const from of [base, ...otherBases]) {
    for (const difference of await listGitDifference(access, { from, to: head })) {
      const known = largest.get(difference.path);
      if (brought.has(difference.path) && (known === undefined || weighDifference(difference) > weighDifference(known)))
        largest.set(difference.path, difference);
    }
  }
  return [...largest.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

const readPath = ({ path }: GitDifference): string => path;

/** The strictest reading counts: a creation before content that was not compared, and then the most bytes. */
function weighDifference({ before, counts }: GitDifference): number {
  if (before === null) return Number.POSITIVE_INFINITY;
  return counts?.bytes ?? Number.MAX_SAFE_INTEGER;
}
