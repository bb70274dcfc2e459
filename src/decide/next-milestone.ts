import { createHash } from "node:crypto";
import { join } from "node:path";
import { InvariantError } from "../base/errors.ts";
import { listMilestoneArchives } from "../journal/pure/tick-account.ts";
import { WorkspaceFold } from "../journal/pure/workspace-state.ts";
import { type CommandFailure, type Refusal, refuse } from "../records/command-failure.ts";
import type { OpenedMilestone } from "../records/decisions.ts";
import type { FoldedLines } from "../records/folded-lines.ts";
import { MilestoneArchive } from "../records/milestone-archive.ts";
import { isFile } from "../system/read-files.ts";
import { findTickRecord } from "../tick/pure/tick-records.ts";
import { refuseToAgent } from "../workspace/own-environment.ts";
import { openPublication } from "../workspace/publish.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import type { LockedWorkspace, Workspace, WorkspaceRequest } from "../workspace/workspace.ts";
import { recordDecision } from "./accept-last.ts";

/**
 * Opens the next milestone, with counters of its own, and archives those of the one before.
 *
 * The caps of a milestone are a person's word about what may be spent, so only a person lifts them.
 */

/** `relais milestone next`; without a name, the next task names it. */
export async function openNextMilestone(
  request: WorkspaceRequest,
  name: string | null,
): Promise<OpenedMilestone | CommandFailure> {
  return refuseToAgent("relais milestone next", request) ?? withWorkspace(request, "decide", (it) => leave(it, name));
}

async function leave(workspace: LockedWorkspace, name: string | null): Promise<OpenedMilestone | Refusal> {
  const { journal } = workspace;
  const { milestone, last } = journal.fold(WorkspaceFold);
  const { milestoneId, budgets, patchAttempts } = milestone;
  const isUnspent = Object.values(budgets).every((count) => count === 0) && patchAttempts === 0;
  if (last === null || isUnspent) return refuseUnspent(milestoneId);
  if (name !== null && name === milestoneId) return refuseSameName(name);
  const record = findTickRecord(journal.linesOf(last.runId), last.runId);
  if (record === null) throw new InvariantError("a last tick that is not in the journal");
  const spent = { ...budgets };
  const unpublished = await recordDecision(workspace, record, { type: "milestone_opened", milestone_id: name });
  const problems = [...unpublished, ...(await archiveMilestones(workspace, journal))];
  return { kind: "opened", runId: last.runId, milestoneId: name, closed: milestoneId, spent, problems };
}

function refuseUnspent(milestoneId: string | null): Refusal {
  const name = milestoneId === null ? "The milestone" : `The milestone ${milestoneId}`;
  const message = `${name} has spent nothing yet, so there is nothing to close.`;
  return refuse({ cause: "milestone_unspent", message, next: "See `relais status`." });
}

function refuseSameName(name: string): Refusal {
  const message = `The milestone that is open is called ${name} already.`;
  const next = "Give another name, or none: `relais milestone next`; then the next task names it.";
  return refuse({ cause: "same_milestone", message, next });
}

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
