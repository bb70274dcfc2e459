/** Undoes the last accepted tick and records it, so that it cannot be accepted or undone again. */
import type { UndoneChange } from "../records/decisions.ts";
import { unreachable } from "../base/errors.ts";
import { findSettled, findSettlement } from "../tick/pure/tick-facts.ts";
import type { AcceptedRecord } from "../journal/pure/journal-runs.ts";
import { openContentStore } from "../store/content-store.ts";
import { findCommit } from "../git/find-commit.ts";
import { readHead } from "../git/head.ts";
import { type CommandFailure, type Refusal, refuse } from "../records/command-failure.ts";
import { findLastAcceptedHere } from "../workspace/series-branch.ts";
import { recordDecision } from "./accept-last.ts";
import { refuseOther } from "../workspace/misuse.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import type { LockedWorkspace, WorkspaceRequest } from "../workspace/workspace.ts";
import { undoAccepted, type UndoOutcome } from "../keep/undo.ts";

/** `relais undo`. If the person saw a tick and named it, nothing else is undone. */
export function undoLast(request: WorkspaceRequest, seen?: string): Promise<UndoneChange | CommandFailure> {
  return withWorkspace(request, "decide", (workspace) => undo(workspace, seen));
}

async function undo(workspace: LockedWorkspace, seen: string | undefined): Promise<UndoneChange | Refusal> {
  const record = findLastAcceptedHere(workspace, "There is no change to undo.");
  if ("kind" in record) return record;
  const { runId, state, facts } = record;
  if (seen !== undefined && seen !== runId) return refuseOther(runId, `The last kept change is that of ${runId}.`);
  if (findSettled(state)?.data !== undefined) {
    const message = `The commit of ${runId} also contains the notes of relais about a series.`;
    return refuse({
      cause: "iteration",
      runId,
      message,
      next: "Use `git revert` or `git reset`.",
    });
  }
  const { repository, stateDirectory, journal } = workspace;
  const { commit, branch } = findSettlement(state);
  const beganOn = commit === null ? null : await findOtherBranch(workspace, record, branch);
  const outcome = await undoAccepted({
    repository,
    store: await openContentStore(stateDirectory, repository.environment),
    stateDirectory,
    lines: journal.lines(),
    runId,
    commit: (await isMovedBack(workspace, record)) ? null : commit,
    base: facts.base.base_commit,
  });
  if (outcome.kind !== "undone") return refuseUndo(outcome, runId);
  const paths = outcome.work.files.map(({ path }) => path);
  const problems = await recordDecision(workspace, record, { type: "undone" });
  const { besides, notBack } = outcome;
  return { kind: "undone", runId, commit, branch, beganOn, paths, besides, notBack, problems };
}

/** The branch to return to, if the series had its own branch, which is empty now. */
async function findOtherBranch(
  { repository }: LockedWorkspace,
  { facts }: AcceptedRecord,
  branch: string | null,
): Promise<string | null> {
  if (branch === null || branch !== facts.started.own_branch) return null;
  const before = /^ref: refs\/heads\/(?<name>.+)$/s.exec(facts.base.head)?.groups?.["name"];
  if (before === undefined || before === branch) return null;
  return (await findCommit(`refs/heads/${before}`, { repository })) === null ? null : before;
}

/** Whether the branch of the commit is back at the base, as after an interrupted undo. */
async function isMovedBack(workspace: LockedWorkspace, record: AcceptedRecord): Promise<boolean> {
  const { commit, branch } = findSettlement(record.state);
  if (commit === null) return false;
  const head = await readHead(workspace.repository);
  return head.commit === record.facts.base.base_commit && head.text === `ref: refs/heads/${branch ?? ""}`;
}

function refuseUndo(outcome: Exclude<UndoOutcome, { kind: "undone" }>, runId: string): Refusal {
  switch (outcome.kind) {
    case "edited": {
      const message = `The change of ${runId} was edited since; an undo would lose the edits.`;
      const next = "Commit or revert your edits first.";
      return refuse({ cause: "paths_edited", runId, message, paths: outcome.paths, next });
    }
    case "incomplete": {
      const message = `The change of ${runId} is too large for an undo.`;
      const next = "Undo it with git.";
      return refuse({ cause: "incomplete", runId, message, paths: outcome.paths, next });
    }
    case "dirty": {
      const message = `The change of ${runId} is committed, and the working tree has other changes.`;
      const next = "Put them away first: `git stash -u`; after `relais undo`, `git stash pop` brings them back.";
      return refuse({ cause: "dirty", runId, message, paths: outcome.paths, next });
    }
    case "not-head": {
      const message = `The change of ${runId} is not the last commit any more: HEAD is ${outcome.head ?? "without a commit"}.`;
      return refuse({ cause: "head_moved", runId, message, next: "Use `git revert`." });
    }
    case "missing":
    case "damaged": {
      const why = outcome.kind === "missing" ? "it is too old" : outcome.reason;
      const message = `The content before ${runId} is not known any more: ${why}.`;
      return refuse({ cause: "not_kept", runId, message, next: "Undo it with git." });
    }
    default:
      return unreachable(outcome);
  }
}
