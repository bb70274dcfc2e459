import type { WaitingChange } from "../records/status-answers.ts";
import type { Head } from "../records/evidence.ts";
import { findSettlement } from "./pure/tick-facts.ts";
import { findLastAcceptedRun } from "../journal/pure/journal-runs.ts";
import { isAsBefore } from "../keep/is-as-before.ts";
import { findWork } from "../keep/keep-work.ts";
import { listRepositoryLines } from "../workspace/lines-of-repository.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";

/** The change that `relais accept` would commit; null also if a person has removed it. */
export async function findWaitingChange(around: WorkspaceSnapshot, head: Head): Promise<WaitingChange | null> {
  const record = findLastAcceptedRun(listRepositoryLines(around.lines, around.repository), around.repository.root);
  if (record === null) return null;
  const { runId, state, facts } = record;
  if (head.commit !== facts.base.base_commit) return null;
  if (findSettlement(state).isCommitted || (await isGone(around, runId))) return null;
  const { files_touched: files, new_files: newFiles } = facts.judged.blast_radius;
  return { runId, files, newFiles };
}

async function isGone(around: WorkspaceSnapshot, runId: string): Promise<boolean> {
  const found = await findWork(around, "accepted", runId);
  return found.kind === "found" && isAsBefore(around.repository.root, found.work.files);
}
