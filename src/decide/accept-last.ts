import type { TickEvent } from "../records/event.ts";
import type { TickRecord } from "../tick/pure/tick-records.ts";
import { publishLines } from "../workspace/publish.ts";
import { type LockedWorkspace, appendEvent, type Workspace, type WorkspaceRequest } from "../workspace/workspace.ts";
import { join } from "node:path";
import type { AcceptedChange, OwnMessage } from "../records/decisions.ts";
import type { Head } from "../records/evidence.ts";
import { unreachable } from "../base/errors.ts";
import { decodePath } from "../base/path-names.ts";
import { findSettlement } from "../tick/pure/tick-facts.ts";
import type { AcceptedRecord } from "../journal/pure/journal-runs.ts";
import { toBytePath } from "../system/byte-path.ts";
import { commitIdentity } from "../store/commit-identity.ts";
import { openContentStore } from "../store/content-store.ts";
import { readFilterSettings } from "../git/filter-settings.ts";
import { pinHooks } from "../store/pin-hooks.ts";
import { withPrivateFolder } from "../system/private-folder.ts";
import { writeOwnMessage } from "./edit-files.ts";
import { commitText } from "../git/read-commit.ts";
import { readHead } from "../git/head.ts";
import { isAsRecorded, type RecordedEntry } from "../store/recorded-entry.ts";
import { locateRunDirectory } from "../journal/run-directory.ts";
import { type CommandFailure, type Refusal, refuse } from "../records/command-failure.ts";
import { findLastAcceptedHere } from "../workspace/series-branch.ts";
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

export interface AcceptRequest extends WorkspaceRequest {
  /** Absent takes a draft. */
  readonly message?: OwnMessage;
}

/** `relais accept`. */
export function acceptLast(request: AcceptRequest): Promise<AcceptedChange | CommandFailure> {
  return withWorkspace(request, "decide", (workspace) => accept(workspace, request));
}

const NEXT_STATUS = "See `relais status`.";

async function accept(workspace: LockedWorkspace, request: AcceptRequest): Promise<AcceptedChange | Refusal> {
  const record = findLastAcceptedHere(workspace, "No change waits for a commit.");
  if ("kind" in record) return record;
  const { runId } = record;
  const { isCommitted, commit } = findSettlement(record.state);
  if (isCommitted) {
    const message = `The change of ${runId} is committed already${commit === null ? "" : `, as ${commit}`}.`;
    return refuse({ cause: "already_committed", runId, message, next: NEXT_STATUS });
  }
  const { signal } = request;
  const head = await readHead(workspace.repository, signal);
  const base = record.facts.base.base_commit;
  if (head.commit === base) return commitRecord(workspace, { record, head: { ...head, commit: base }, request });
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
    notes: ["The commit existed already and is recorded now."],
  });
}

type MadeCommit = Pick<AcceptedChange, "commit" | "branch" | "notes">;

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
  readonly request: AcceptRequest;
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
  return withPrivateFolder(locateRunDirectory(stateDirectory, runId), async (folder) => {
    const { record, request } = commitment;
    const message = await writeOwnMessage(workspace.repository, { record, folder, request });
    return typeof message === "string" ? commitHere(workspace, commitment, { changes, folder, message }) : message;
  });
}

function listEditedPaths(root: string, entries: readonly RecordedEntry[]): readonly string[] {
  const bytes = toBytePath(root);
  return entries.filter((entry) => !isAsRecorded(bytes, entry)).map(({ path }) => decodePath(path).text);
}

interface WrittenCommit {
  readonly changes: CommitRequest["changes"];
  readonly folder: string;
  readonly message: string;
}

/** A person's act: the commit goes to the branch that they are on. */
async function commitHere(
  workspace: LockedWorkspace,
  { record, head, request: { signal } }: CommitSources,
  { changes, folder, message }: WrittenCommit,
): Promise<AcceptedChange | Refusal> {
  const { repository, stateDirectory, config } = workspace;
  const settings = await readFilterSettings(repository, signal);
  const outcome = await commitAccepted({
    repository,
    store: await openContentStore(stateDirectory, repository.environment),
    settings,
    identity: await commitIdentity(repository, { settings, signal }),
    hooks: await prepareHooks(workspace, folder, record.runId),
    message,
    reason: `relais: ${record.facts.task.task_id}`,
    base: head.commit,
    headText: head.text,
    changes,
    sign: makeTreeSigner({ config, repository, folder: null }, describeRecord(workspace, record)),
    privateRoot: folder,
    signal,
  });
  return concludeCommit(workspace, record, outcome);
}

function describeRecord({ journal }: LockedWorkspace, { runId, facts }: AcceptedRecord) {
  const evidence = facts.judged.evidence_sha256;
  return { runId, code: "SUCCESS", base: facts.base.base_commit, evidence, journal: journal.end().sha256 ?? "" };
}

async function concludeCommit(
  workspace: LockedWorkspace,
  record: AcceptedRecord,
  outcome: CommitOutcome,
): Promise<AcceptedChange | Refusal> {
  const { runId } = record;
  switch (outcome.kind) {
    case "committed":
      return recordCommit(workspace, record, outcome);
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

async function prepareHooks(
  { repository, config }: Workspace,
  folder: string,
  runId: string,
): Promise<CommitRequest["hooks"]> {
  if (config.git.hooks !== "run") return null;
  const pinned = await pinHooks(repository, join(folder, "hooks"));
  return makeHookRun({ repository, config, pinned, deadlineMs: config.runner.max_tick_seconds * 1000, runId });
}
