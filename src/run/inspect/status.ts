/**
 * `relais status`: reads only, without a lock, and waits for nobody: a running relais is part of
 * the answer.
 */
import { join } from "node:path";
import type { Preflight, Status } from "../../contract/answers/status.ts";
import { chooseDriver } from "../../agents/choose-driver.ts";
import type { ScriptPlayer } from "../../agents/scripted.ts";
import { type Config, CONFIG_NAME } from "../../contract/config/config.ts";
import { foldLines } from "../../contract/journal/folded-lines.ts";
import type { Lock } from "../../contract/journal/lock.ts";
import type { WorkspaceState } from "../../contract/documents/state.ts";
import { listBudgetWarnings } from "../../core/tick/budget.ts";
import { foldWorkspaceState } from "../../core/history/workspace-state.ts";
import { readClockMs } from "../../io/machine/clock.ts";
import { readFilterSettings } from "../../io/git/filter-settings.ts";
import type { LockSighting } from "../../io/journal/lock.ts";
import { readHead } from "../../io/git/read-head.ts";
import { createRunId } from "../../io/workspace/run-directory.ts";
import { findStateDirectory } from "../../io/workspace/state-directory.ts";
import { type CommandFailure, type NotReady, refuseNotReady } from "../../contract/answers/command-failure.ts";
import { findIncompleteJournal } from "../workspace/journal-state.ts";
import { explainUnusableGit } from "../workspace/locate-repository.ts";
import { lockUnavailable, lookAtLocks } from "../workspace/look-at-locks.ts";
import { openWorkspace, findReplacedWorkspace } from "../workspace/open-workspace.ts";
import type { WorkspaceSnapshot, WorkspaceRequest } from "../workspace/workspace.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import { InvariantError } from "../../contract/values/invariant.ts";
import { chooseConfig } from "../preflight/choose-config.ts";
import { checkPlanner } from "../preflight/agent-rows.ts";
import { findPreflightRefusal } from "../preflight/preflight.ts";
import { describeGoal, isGoalEmpty } from "../preflight/repository-rows.ts";
import { listRepositoryLines } from "../workspace/lines-of-repository.ts";
import { countSecondsSince, summariseTicks } from "./status-ticks.ts";
import { listWaitingForPerson } from "./waiting-for-person.ts";
import { isPauseRequested } from "../decisions/pause-runner.ts";
import { findWaitingChange } from "../decisions/waiting-change.ts";

export interface StatusRequest extends WorkspaceRequest {
  readonly withPreflight: boolean;
  readonly player: ScriptPlayer;
}

export function readStatus(request: StatusRequest): Promise<Status | CommandFailure> {
  return withWorkspace(request, "read", (snapshot) => summariseStatus(snapshot, request));
}

async function summariseStatus(snapshot: WorkspaceSnapshot, request: StatusRequest): Promise<Status | NotReady> {
  const unusable = await explainUnusableGit(snapshot.repository.root, snapshot.repository.environment);
  if (unusable !== null) return unusable;
  const replaced = findReplacedWorkspace(snapshot.repository.root, snapshot.config);
  if (replaced !== null) return replaced;
  const head = await readHead(snapshot.repository, request.signal);
  const { lines, config, configFile } = snapshot;
  const state = foldWorkspaceState(lines, config.budgets);
  const lock = await lookAtLocks(snapshot);
  const ticks = summariseTicks(listRepositoryLines(lines, snapshot.repository), lock, snapshot.repository.root);
  const known = {
    ...ticks,
    running: ticks.running && { ...ticks.running, isPausing: await isPauseRequested(snapshot) },
    question: state.open_question,
    accepted: await findWaitingChange(snapshot, head),
  };
  return {
    kind: "status",
    repository: snapshot.repository.root,
    branch: /^ref: refs\/heads\/(?<branch>.+)$/s.exec(head.text)?.groups?.["branch"] ?? null,
    config: configFile.kind === "config" ? { kind: "usable" } : configFile,
    ...describeTrouble(snapshot, lock),
    ...known,
    waiting: listWaitingForPerson(snapshot, known),
    budgets: isUsed(snapshot) ? describeBudgets(state, config) : null,
    planTrouble: await findPlanTrouble(snapshot, request),
    preflight: request.withPreflight ? await runPreflight(request, snapshot, lock) : null,
  };
}

/** Whether a person set relais up here, or a tick has run without that. */
function isUsed({ configFile, lines }: WorkspaceSnapshot): boolean {
  return configFile.kind === "config" || (configFile.kind === "missing" && lines.length > 0);
}

function describeTrouble(
  { missingLines, lostTick }: WorkspaceSnapshot,
  lock: LockSighting,
): Pick<Status, "damagedLock" | "missingLines" | "lost"> {
  return {
    damagedLock: lock.kind === "corrupt" ? { path: lock.path, reason: lock.reason } : null,
    missingLines,
    lost: lostTick && { runId: lostTick.run_id, secondsAgo: countSecondsSince(lostTick.started_at) },
  };
}

/** Why a tick needs a task file; null where the orchestrator can plan. */
async function findPlanTrouble(
  { config, configFile, repository }: WorkspaceSnapshot,
  { player }: StatusRequest,
): Promise<string | null> {
  if (configFile.kind === "unusable") return null;
  const choice = await chooseDriver({ config, repository, player, role: "orchestrator" });
  if (choice.kind === "refused") return `The orchestrator cannot be used: ${choice.problem}.`;
  const missing = await checkPlanner(config, repository);
  if (missing !== null) return missing;
  const workspace = join(repository.root, config.workspace_dir);
  return isGoalEmpty(workspace) ? describeGoal(workspace, config) : null;
}

export async function lookAtHolder(snapshot: WorkspaceSnapshot): Promise<Lock | null> {
  const sighting = await lookAtLocks(snapshot);
  return sighting.kind === "busy" ? sighting.holder : null;
}

function describeBudgets(state: WorkspaceState, { budgets }: Config): Status["budgets"] {
  return {
    milestoneId: state.milestone_id,
    used: state.budgets,
    caps: budgets.per_milestone,
    warnAtFraction: budgets.warn_at_fraction,
    warnings: listBudgetWarnings(state, budgets),
  };
}

/** The checks of a tick, in the same order. Nothing is recorded. */
async function runPreflight(
  request: StatusRequest,
  { lines }: WorkspaceSnapshot,
  lock: LockSighting,
): Promise<Preflight> {
  const { signal, player } = request;
  const complete = await chooseConfig({ ...request, chosen: { choices: {}, foundText: null }, needsAgent: true });
  if (complete.kind === "misused") throw new InvariantError(complete.message);
  if (complete.kind === "blocked") return blockPreflight(complete);
  const workspace = await openWorkspace({ ...request, chosen: complete.chosen }, findStateDirectory);
  if (workspace.kind === "blocked") return blockPreflight(workspace);
  if (lock.kind === "busy" || lock.kind === "corrupt") return blockPreflight(lockUnavailable(lock));
  const incomplete = await findIncompleteJournal(workspace);
  if (incomplete !== null) return blockPreflight(incomplete);
  const { config, repository } = workspace;
  const builder = await chooseDriver({ config, repository, player });
  if (builder.kind === "refused") {
    const message = `The builder cannot be used: ${builder.problem}.`;
    const remedy = `Correct the builder in ${CONFIG_NAME}, then run \`relais doctor\`.`;
    return blockPreflight(refuseNotReady("builder_unusable", message, remedy));
  }
  const refusal = await findPreflightRefusal({
    ...workspace,
    workspace: workspace.folder,
    journal: foldLines(lines),
    settings: await readFilterSettings(repository, signal),
    runId: createRunId(readClockMs()),
    signal,
  });
  return refusal === null ? { kind: "ready" } : blockPreflight(refusal);
}

function blockPreflight(why: Omit<Extract<Preflight, { kind: "blocked" }>, "kind">): Preflight {
  const { code, cause, message, remedy } = why;
  return { kind: "blocked", code, cause, message, ...(remedy === undefined ? {} : { remedy }) };
}
