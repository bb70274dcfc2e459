import { createHash } from "node:crypto";
import { join } from "node:path";
import { MilestoneArchive } from "../records/milestone-archive.ts";
import type { FoldedLines } from "../records/folded-lines.ts";
import { WorkspaceFold } from "../journal/pure/workspace-state.ts";
import { listMilestoneArchives } from "../journal/pure/tick-account.ts";
import { isFile } from "../system/is-file.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { openPublication } from "../workspace/publication.ts";

/**
 * Archives the costs of each finished milestone; answers with what could not be written.
 *
 * The last one is written each time, because a tick may give its counts back; the others only where they are missing.
 */
export async function archiveMilestones(
  { repository: { root }, config: { history } }: Workspace,
  journal: FoldedLines,
): Promise<readonly string[]> {
  const archives = history.enabled ? listMilestoneArchives(journal.fold(WorkspaceFold).left) : [];
  if (archives.length === 0) return [];
  const directory = join(root, history.dir, "milestones");
  const publication = await openPublication(root, directory);
  for (const [index, archive] of archives.entries()) {
    const name = nameArchive(archive.milestone_id);
    const isLast = index === archives.length - 1;
    if (isLast || !isFile(join(directory, name))) await publication.document(name, MilestoneArchive, archive);
  }
  return publication.problems;
}

const SAFE = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
const SHOWN_CHARS = 40;

/** An agent chose the name, so only a plain one becomes a file name as it is. */
function nameArchive(milestoneId: string): string {
  if (SAFE.test(milestoneId)) return `${milestoneId}.json`;
  const hash = createHash("sha256").update(milestoneId).digest("hex").slice(0, 12);
  return `${milestoneId.replaceAll(/[^A-Za-z0-9]+/g, "-").slice(0, SHOWN_CHARS)}-${hash}.json`;
}
