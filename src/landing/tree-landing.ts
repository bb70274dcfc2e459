/**
 * The files of the runner on the branch of a tree job. No builder may change them, and no judge passes them: the runner
 * of the landing makes them itself, from both sides, and adds them to the judged change.
 */
import { basename } from "node:path";
import type { JournalLine } from "../records/event.ts";
import type { Check } from "../checks/pure/verification-plan.ts";
import { findUnprovedLeaves, LANDED_FILES, mergeLandedFile } from "../workflows/pure/landed-files.ts";
import type { OwnFiles } from "../store/merge-trees.ts";
import { toBytePath } from "../system/byte-path.ts";
import type { GitAccess } from "../git/git.ts";
import { withObjects } from "../git/git-objects.ts";
import { readFileAt } from "../git/read-commit.ts";

export interface TreeLanding {
  /** `workspace_dir`. */
  readonly workspace: string;
  /** The journal of the job: only leaves that it passed may pass. */
  readonly lines: readonly JournalLine[];
  readonly guard: Check;
}

const placeName = ({ workspace }: TreeLanding, name: string): string => toBytePath(`${workspace}/${name}`);

export function openOwnFiles(tree: TreeLanding): OwnFiles {
  const names = new Map(LANDED_FILES.map((name) => [placeName(tree, name), name] as const));
  return {
    paths: [...names.keys()],
    merge: (path, sides) => mergeLandedFile(names.get(path) ?? path, sides),
  };
}

interface Range {
  readonly base: string;
  readonly tip: string;
}

export async function listUnproved(
  access: GitAccess,
  { base, tip }: Range,
  tree: TreeLanding | null,
): Promise<readonly string[]> {
  if (tree === null) return [];
  const path = placeName(tree, "tree.json");
  return withObjects(access, async (read) => {
    const sides = { base: await readFileAt(read, base, path), change: await readFileAt(read, tip, path) };
    return findUnprovedLeaves(sides, tree.lines);
  });
}

/** By their names in the workspace. */
export function readOwnTexts(
  access: GitAccess,
  tip: string,
  paths: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  return withObjects(access, async (read) => {
    const texts: Record<string, string> = {};
    for (const path of paths) {
      const content = await readFileAt(read, tip, path);
      if (content !== null) texts[basename(path)] = content.toString("utf8");
    }
    return texts;
  });
}
