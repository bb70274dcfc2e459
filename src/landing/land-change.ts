import { type CommandFailure, type Refusal, refuse } from "../records/command-failure.ts";
import type { DecisionNote } from "../records/event.ts";
import type { Task } from "../records/task.ts";
import { InvariantError } from "../base/errors.ts";
import { makeTickNotification } from "../journal/pure/make-notification.ts";
import { WorkspaceFold } from "../journal/pure/workspace-state.ts";
import { type Landing, decideNextWork, type Work } from "../workflows/pure/workflow.ts";
import { makeRelay } from "../workflows/pure/relay.ts";
import { findCommit } from "../git/find-commit.ts";
import { decodePath } from "../base/path-names.ts";
import { type GitStatusRequest, listDirtyNames, listDirtyPaths } from "../git/git-status.ts";
import { chooseConfig } from "../tick/choose-config.ts";
import { openSession } from "../tick/open-session.ts";
import { emitOpened } from "../tick/emit-recorded.ts";
import { runWork, type TickEnding } from "../tick/run-work.ts";
import type { CommandContext, LockedWorkspace, WorkspaceRequest } from "../workspace/workspace.ts";
import { type Misuse, reportMisuse } from "../workspace/misuse.ts";
import { notify } from "../workspace/notify.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import { type LandingConflict, openLandingBase, type PreparedLanding, withLandingFolder } from "./landing-base.ts";
import { applyTerms, findRecordedTask, type LandingTask, type LandingTerms, makeLandingTask } from "./landing-task.ts";
import { prepareRange } from "./prepare-range.ts";
import { prepareSalvage } from "./prepare-salvage.ts";
import type { TreeLanding } from "./tree-landing.ts";
import { findRun } from "../journal/pure/journal-runs.ts";
import { listSalvage } from "../keep/salvage.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";

/**
 * The one door for work that was made beside the worktree: a reverted run, an attempt, a branch, a job.
 *
 * Under the lock, the change is put on top of what is there now. Then an ordinary tick adopts it: it is judged and
 * checked in the state in which it lands, and kept, committed or reverted like any other. If something moved
 * meanwhile, it starts again.
 */

export type LandingSource =
  | { readonly kind: "salvage"; readonly runId: string }
  /** The revision is resolved under the lock. */
  | { readonly kind: "range"; readonly name: string; readonly revision: string };

export interface LandRequest extends CommandContext {
  readonly source: LandingSource;
  readonly terms: LandingTerms;
  /** Of its commit; absent is a draft. */
  readonly message?: string;
  /** The task that the change was made for; absent looks for it in the journal. */
  readonly task?: Task;
  /** Of a held run that a person accepts. */
  readonly accepts?: AcceptedRun;
  /** The branch of a tree job, which has files of the runner, too. */
  readonly tree?: TreeLanding;
}

/** Exactly what the person saw is lifted, and what the person's own sentence had lifted stays so. */
export interface AcceptedRun {
  readonly decision: DecisionNote;
  readonly findings: NonNullable<Work["accepted"]>;
  readonly typed: string;
  /** Where it began with what the person had not committed: the paths that must be as HEAD has them now. */
  readonly awaited: readonly string[] | null;
}

export interface LandedTick extends TickEnding {
  /** Called once the locks are released; answers with a warning if it fails. */
  readonly notify: () => Promise<string | null>;
  /** The job that does it again; null or absent waits for a person. */
  readonly again?: string | null;
}

export type LandAnswer = LandedTick | LandingConflict | Misuse | CommandFailure;

const ATTEMPTS_MAX = 3;

export async function landChange(request: LandRequest): Promise<LandAnswer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await landOnce(request);
    const hasMoved = answer.kind === "ended" && answer.report.code === "STOP_MAIN_TREE_CHANGED";
    if (!hasMoved || attempt === ATTEMPTS_MAX || request.signal.aborted) return answer;
  }
}

async function landOnce(request: LandRequest): Promise<LandAnswer> {
  const complete = await chooseConfig({
    ...request,
    chosen: { choices: request.terms.choices, foundText: null, fillsGaps: true },
    needsAgent: false,
  });
  if (complete.kind !== "complete") return complete;
  const { chosen } = complete;
  return withWorkspace({ ...request, chosen }, "tick", (workspace) => landHere(request, workspace));
}

async function landHere(request: LandRequest, workspace: LockedWorkspace): Promise<LandAnswer> {
  const { stateDirectory } = workspace;
  const prepared = await withLandingFolder(stateDirectory, (folder) => prepare(request, workspace, folder));
  const chosen = chooseTask(request, workspace, prepared);
  if (chosen !== null && chosen.kind === "misused") return chosen;
  if (prepared.kind === "conflict") return { ...prepared, task: chosen?.task ?? null };
  if (prepared.kind === "refused") return prepared;
  if (chosen === null) throw new InvariantError("a prepared landing has no task");
  return runLanding(request, workspace, { landing: prepared.landing, chosen });
}

/** Uncommitted edits come first: they are no conflict, and a person can put them away. */
async function prepare(
  request: LandRequest,
  workspace: LockedWorkspace,
  folder: string,
): Promise<PreparedLanding | Refusal> {
  const { repository, stateDirectory, journal } = workspace;
  const { source, signal } = request;
  const ground = await openLandingBase(workspace, folder, signal);
  const { settings } = ground;
  const dirty = await listDirtyPaths({ repository, settings, signal });
  const refusal = dirty.length === 0 ? null : await refuseDirty(request, ground, dirty);
  if (refusal !== null) return refusal;
  if (source.kind === "salvage")
    return prepareSalvage({ ...ground, stateDirectory, lines: journal.lines() }, source.runId);
  const tip = await findCommit(source.revision, { repository, signal });
  const { tree } = request;
  if (tip !== null) return prepareRange(ground, { name: source.name, tip, ...(tree === undefined ? {} : { tree }) });
  const message = `There is no branch or commit ${source.name} in this repository.`;
  return refuse({ cause: "unknown_revision", message, next: "See `git branch` and `relais salvage`." });
}

/** Work that began with what a person had not committed may land beside the rest of that. */
async function refuseDirty(
  { accepts, source }: LandRequest,
  where: GitStatusRequest,
  dirty: readonly string[],
): Promise<Refusal | null> {
  const message = "The worktree has changes that are not committed.";
  const cause = "dirty_worktree";
  if (accepts === undefined || source.kind !== "salvage") {
    const next = "Commit or stash them, or `relais accept` the last change, and try again.";
    return refuse({ cause, message, paths: dirty, next });
  }
  const { awaited } = accepts;
  const now = awaited === null ? [] : (await listDirtyNames(where)).map((path) => decodePath(path).text);
  const paths = awaited === null ? dirty : awaited.filter((path) => now.includes(path));
  const next = `Commit yours, then type \`relais accept ${source.runId}\`.`;
  return paths.length === 0 ? null : refuse({ cause, message, paths, next });
}

function chooseTask(
  { source, task, terms }: LandRequest,
  { config, journal }: LockedWorkspace,
  prepared: PreparedLanding,
): LandingTask | Misuse | null {
  if (task !== undefined) return { kind: "task", task, ceiling: config.diff_limits, isPlanned: false };
  const made = prepared.kind === "prepared" && prepared.task !== undefined ? prepared.task : null;
  const saved = made && { task: made, ceiling: config.diff_limits, isPlanned: false };
  const known = source.kind === "salvage" ? (findRecordedTask(journal.lines(), source.runId, config) ?? saved) : saved;
  if (known !== null) {
    const own = applyTerms(known.task, terms);
    return own.kind === "misused" ? own : { ...known, kind: "task", task: own.task };
  }
  if (prepared.kind !== "prepared") return null;
  const { milestone_id: milestone } = journal.fold(WorkspaceFold).state(config.budgets);
  const { landing, subjects } = prepared;
  return makeLandingTask(landing.name, subjects, milestone, { config, terms });
}

interface ChosenLanding {
  readonly landing: Landing;
  readonly chosen: LandingTask;
}

async function runLanding(
  request: LandRequest,
  workspace: LockedWorkspace,
  { landing, chosen }: ChosenLanding,
): Promise<LandAnswer> {
  const { config, repository, journal, runId } = workspace;
  const workflow = makeRelay(chosen.task, config, { isOfPerson: chosen.leavesOut === true });
  const next = decideNextWork(workflow, { lines: journal.lines(), seriesId: runId });
  if (next.kind !== "work") throw new InvariantError("a series ended before it began");
  const { message } = request;
  const own = { ...makeLandingWork(next.work, { landing, chosen }), ...(message === undefined ? {} : { message }) };
  const made = addAccepted(own, landing, request.accepts);
  const work = addTree(made, landing, request.tree);
  const asks = request.accepts === undefined;
  const opened = await openSession({ ...request, workspace, seriesId: runId, work, asks });
  if (opened.kind === "blocked") return opened;
  emitOpened(request.emit, { seriesId: runId, lines: journal.lines() });
  const { relaisVersion } = request;
  const ended = await runWork(opened.session, { workflow: workflow.name, work, relaisVersion });
  const notification = makeTickNotification(ended.report, repository.root);
  return { ...ended, notify: () => notify({ ...request, config }, notification) };
}

/** Reviewers have seen the change where it was made, or a person decided to land it. */
function makeLandingWork(work: Work, { landing, chosen }: ChosenLanding): Work {
  const { ceiling, isPlanned } = chosen;
  const settle = landing.commits === null ? work.settle : ({ onSuccess: "commit", onFailure: "rollback" } as const);
  const own = { landing, ceiling, settle, review: null, isOwnPatch: true, commitsHere: true } as const;
  return { ...work, ...own, ceilingOfScope: isPlanned ? "enforced" : "told" };
}

/** Who accepts has decided, so that the change is committed without another question. */
function addAccepted(work: Work, landing: Landing, accepts: AcceptedRun | undefined): Work {
  if (accepts === undefined) return work;
  const { decision, findings, typed, awaited } = accepts;
  const settle = { onSuccess: "commit", onFailure: "rollback" } as const;
  const own = { ...work, settle, typed, accepted: findings, landing: { ...landing, accepted: decision } };
  return awaited === null ? own : { ...own, takesUncommitted: true };
}

/** The guard decides about a tree, so it must pass here, too. A tree that was only planned changes nothing else. */
function addTree(work: Work, { own = {}, moves }: Landing, tree: TreeLanding | undefined): Work {
  if (tree === undefined) return work;
  const { guard } = tree;
  return {
    ...work,
    changeRequired: moves.length > 0,
    checks: { max: 1, known: [guard], choose: () => (moves.length > 0 ? [guard] : []) },
    record: ({ action }) =>
      action === "commit" ? { files: own, subject: "", data: {}, logs: {}, copies: { bytesMax: 0, names: {} } } : null,
  };
}

/** Finds out what a name stands for: a branch, the branch of a job, or a reverted run. */

/** A branch wins over a run with the same letters; any other revision comes last. */
export function findLanding(request: WorkspaceRequest, name: string): Promise<LandingSource | Misuse | CommandFailure> {
  return withSnapshot(request, async (place) => {
    const { repository, config } = place;
    const { signal } = request;
    for (const branch of [name, `${config.git.branch_prefix}${name}`]) {
      const revision = `refs/heads/${branch}`;
      if ((await findCommit(revision, { repository, signal })) !== null)
        return { kind: "range", name: branch, revision } as const;
    }
    const known = (await listSalvage(place)).map(({ runId }) => runId);
    const found = findRun(name, known);
    if (found.kind === "run") return { kind: "salvage", runId: found.runId } as const;
    if (found.kind === "several") return reportMisuse(`"${name}" matches several ticks`, found.runIds.slice(0, 10));
    if ((await findCommit(name, { repository, signal })) !== null)
      return { kind: "range", name, revision: name } as const;
    return reportMisuse(`there is no branch, job or saved run "${name}"`);
  });
}
