import type { TickEvent } from "../records/event.ts";
import type { TickRecord } from "../tick/pure/tick-records.ts";
import { publishLines } from "../workspace/publish.ts";
import { type LockedWorkspace, appendEvent, type Workspace, type WorkspaceRequest } from "../workspace/workspace.ts";
import { join } from "node:path";
import type { AcceptedChange } from "../records/decisions.ts";
import type { Head } from "../records/evidence.ts";
import { unreachable } from "../base/errors.ts";
import { describeCause } from "../tick/pure/cause-words.ts";
import { commitMessage } from "../tick/pure/commit-message.ts";
import { decodePath } from "../base/path-names.ts";
import { findSettlement } from "../tick/pure/tick-facts.ts";
import type { AcceptedRecord } from "../journal/pure/journal-runs.ts";
import { toBytePath } from "../system/byte-path.ts";
import { commitIdentity } from "../store/commit-identity.ts";
import { openContentStore } from "../store/content-store.ts";
import { dropBranch } from "../store/branches.ts";
import { readFilterSettings } from "../git/filter-settings.ts";
import { pinHooks } from "../store/pin-hooks.ts";
import { withPrivateFolder } from "../system/private-folder.ts";
import { commitText } from "../git/read-commit.ts";
import { readHead } from "../git/head.ts";
import { isAsRecorded, type RecordedEntry } from "../store/recorded-entry.ts";
import { locateRunDirectory } from "../journal/run-directory.ts";
import { type CommandFailure, type Refusal, refuse } from "../records/command-failure.ts";
import { findLastAcceptedHere, readSeriesBranch, findSeriesBranchInTheWay } from "../workspace/series-branch.ts";
import { commitAccepted, type CommitOutcome, type CommitRequest, listCommittedEntries } from "../keep/settle-commit.ts";
import { readRecordedEvidence } from "../journal/recorded-evidence.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import { makeHookRun } from "../keep/commit-hooks.ts";
import { makeTreeSigner } from "../keep/sign-settlement.ts";

/** Writes a decision about a tick into the journal and publishes it; answers with what could not be published. */
export async function recordDecision(
  workspace: LockedWorkspace,
  record: TickRecord,
  event: TickEvent,
): Promise<readonly string[]> {
  await appendEvent(workspace.journal, record, event);
  return publishLines(workspace);
}

/**
 * Commits the change of the last accepted tick: exactly the paths that were judged, as they were judged.
 *
 * The evidence says which paths these are, and the journal says which evidence is the right one. A person may have
 * switched to another branch meanwhile, but the commit below the change must be the same, because the change was judged
 * on top of it.
 */

/** `relais accept`. */
export function acceptLast(request: WorkspaceRequest): Promise<AcceptedChange | CommandFailure> {
  return withWorkspace(request, "decide", (workspace) => accept(workspace, request.signal));
}

const NEXT_STATUS = "See `relais status`.";

async function accept(workspace: LockedWorkspace, signal: AbortSignal): Promise<AcceptedChange | Refusal> {
  const record = findLastAcceptedHere(workspace, "No change waits for a commit.");
  if ("kind" in record) return record;
  const { runId } = record;
  const { isCommitted, commit } = findSettlement(record.state);
  if (isCommitted) {
    const message = `The change of ${runId} is committed already${commit === null ? "" : `, as ${commit}`}.`;
    return refuse({ cause: "already_committed", runId, message, next: NEXT_STATUS });
  }
  const head = await readHead(workspace.repository, signal);
  const base = record.facts.base.base_commit;
  if (head.commit === base) return commitRecord(workspace, { record, head: { ...head, commit: base }, signal });
  return (await adoptCommit(workspace, record, head)) ?? refuseHeadMoved(record, head);
}

function refuseHeadMoved(record: AcceptedRecord, { commit }: Head): Refusal {
  const { runId, facts } = record;
  const message = `HEAD is ${commit ?? "without a commit"}, but the change of ${runId} was judged on ${facts.base.base_commit}.`;
  const next = "Commit it yourself with git, or return to that commit first.";
  return refuse({ cause: "head_moved", runId, message, next });
}

/** An interrupted accept may have committed already: then only the journal line is missing. */
async function adoptCommit(
  workspace: LockedWorkspace,
  record: AcceptedRecord,
  head: Head,
): Promise<AcceptedChange | null> {
  if (head.commit === null) return null;
  const text = await commitText(workspace.repository, head.commit);
  const parents = [...text.matchAll(/^parent (?<id>[0-9a-f]+)$/gm)].map((match) => match.groups?.["id"]);
  const isOurs = text.split("\n").includes(`Relais-Run: ${record.runId}`);
  if (!isOurs || parents.length !== 1 || parents[0] !== record.facts.base.base_commit) return null;
  return recordCommit(workspace, record, {
    commit: head.commit,
    branch: head.text.replace(/^ref: refs\/heads\//, ""),
    isNewBranch: false,
    notes: ["The commit existed already and is recorded now."],
  });
}

type MadeCommit = Pick<AcceptedChange, "commit" | "branch" | "isNewBranch" | "notes">;

async function recordCommit(
  workspace: LockedWorkspace,
  record: AcceptedRecord,
  made: MadeCommit,
): Promise<AcceptedChange> {
  const { commit, branch } = made;
  const problems = await recordDecision(workspace, record, { type: "accepted", commit, branch });
  const files = record.facts.judged.blast_radius.files_touched;
  return { kind: "committed", runId: record.runId, ...made, files, problems };
}

interface CommitSources {
  readonly record: AcceptedRecord;
  readonly head: Head & { readonly commit: string };
  readonly signal: AbortSignal;
}

async function commitRecord(workspace: LockedWorkspace, commitment: CommitSources): Promise<AcceptedChange | Refusal> {
  const { repository, stateDirectory } = workspace;
  const { runId, facts } = commitment.record;
  const read = await readRecordedEvidence(locateRunDirectory(stateDirectory, runId), facts.judged.evidence_sha256);
  if (read.kind === "damaged") {
    const message = `The judged change of ${runId} cannot be read: ${read.path}: ${read.reason}.`;
    const next = "Look at it with `git diff` and commit it yourself, or run `relais undo`.";
    return refuse({ cause: "evidence_damaged", runId, message, next });
  }
  const { changes } = read.evidence;
  const paths = listEditedPaths(repository.root, listCommittedEntries(changes));
  if (paths.length > 0) {
    const message = `The change of ${runId} was edited after the judgement.`;
    const next = "Revert your edits, or commit it yourself with git.";
    return refuse({ cause: "paths_edited", runId, message, paths, next });
  }
  return withPrivateFolder(locateRunDirectory(stateDirectory, runId), (folder) =>
    commitOnBranch(workspace, commitment, { changes, folder }),
  );
}

function listEditedPaths(root: string, entries: readonly RecordedEntry[]): readonly string[] {
  const bytes = toBytePath(root);
  return entries.filter((entry) => !isAsRecorded(bytes, entry)).map(({ path }) => decodePath(path).text);
}

/** If the commit fails, its new branch is removed again. */
async function commitOnBranch(
  workspace: LockedWorkspace,
  { record, head, signal }: CommitSources,
  { changes, folder }: { readonly changes: CommitRequest["changes"]; readonly folder: string },
): Promise<AcceptedChange | Refusal> {
  const { repository, stateDirectory } = workspace;
  const inTheWay = await findSeriesBranchInTheWay({ ...workspace, head });
  if (inTheWay !== null) return refuseNoBranch(record, inTheWay);
  const settings = await readFilterSettings(repository, signal);
  const shared = {
    repository,
    store: await openContentStore(stateDirectory, repository.environment),
    settings,
    identity: await commitIdentity(repository, { settings, signal }),
    hooks: await prepareHooks(workspace, folder, record.runId),
  };
  const headText = await readSeriesBranch({ ...workspace, seriesId: record.seriesId, head });
  const leave = async (): Promise<void> => {
    if (headText === head.text) return;
    await dropBranch({ repository, headText: head.text, droppedText: headText, commit: head.commit });
  };
  try {
    const outcome = await commitAccepted({
      ...shared,
      ...writeMessage(record, workspace.config.product_name),
      base: head.commit,
      headText,
      changes,
      sign: makeTreeSigner({ config: workspace.config, repository, folder: null }, describeRecord(workspace, record)),
      privateRoot: folder,
      signal,
    });
    if (outcome.kind !== "committed") await leave();
    return await concludeCommit(workspace, record, { outcome, isNewBranch: headText !== head.text });
  } catch (error) {
    const now = await readHead(repository);
    if (now.text === headText && now.commit === head.commit) await leave();
    throw error;
  }
}

function describeRecord({ journal }: LockedWorkspace, { runId, facts }: AcceptedRecord) {
  const evidence = facts.judged.evidence_sha256;
  return { runId, code: "SUCCESS", base: facts.base.base_commit, evidence, journal: journal.end().sha256 ?? "" };
}

function refuseNoBranch({ runId }: AcceptedRecord, inTheWay: string): Refusal {
  const message = `This branch is protected, and the branch ${inTheWay} keeps git from creating one for the commit.`;
  const next = describeCause("BLOCKED_MISSING_CONFIG", "branch_in_the_way").remedy;
  return refuse({ cause: "branch_in_the_way", runId, message, next });
}

async function concludeCommit(
  workspace: LockedWorkspace,
  record: AcceptedRecord,
  { outcome, isNewBranch }: { readonly outcome: CommitOutcome; readonly isNewBranch: boolean },
): Promise<AcceptedChange | Refusal> {
  const { runId } = record;
  switch (outcome.kind) {
    case "committed":
      return recordCommit(workspace, record, { ...outcome, isNewBranch });
    case "nothing-to-commit": {
      const message = `The change of ${runId} has nothing to commit.`;
      return refuse({ cause: "nothing_to_commit", runId, message, next: NEXT_STATUS });
    }
    case "refused": {
      const { cause } = outcome;
      const message = `The commit was refused (${cause}). ${outcome.message}`;
      const next = "The change is still in the working tree; nothing was committed.";
      return refuse({ cause, runId, message, next });
    }
    default:
      return unreachable(outcome);
  }
}

function writeMessage(
  { runId, facts: { task, started } }: AcceptedRecord,
  productName: string,
): Pick<CommitRequest, "message" | "reason"> {
  return {
    message: commitMessage({ task, runId, code: "SUCCESS", workflow: started.workflow, productName }),
    reason: `relais: ${task.task_id}`,
  };
}

async function prepareHooks(
  { repository, config }: Workspace,
  folder: string,
  runId: string,
): Promise<CommitRequest["hooks"]> {
  if (config.git.hooks !== "run") return null;
  const pinned = await pinHooks(repository, join(folder, "hooks"));
  return makeHookRun({ repository, config, pinned, deadlineMs: config.runner.max_tick_seconds * 1000, runId });
}
