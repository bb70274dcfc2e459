/**
 * Where things stand. It only reads, takes no lock and waits for nobody: a relais that works here meanwhile is part of
 * the answer.
 */
import { join } from "node:path";
import type { Preflight, Status } from "../../contract/answers/status.ts";
import { chooseDriver } from "../../agents/choose-driver.ts";
import type { ScriptPlayer } from "../../agents/scripted.ts";
import type { Environment } from "../../contract/values/environment.ts";
import { type Config, CONFIG_NAME } from "../../contract/config/config.ts";
import { foldedLines } from "../../contract/journal/folded-lines.ts";
import type { Lock } from "../../contract/journal/lock.ts";
import type { WorkspaceState } from "../../contract/documents/state.ts";
import { budgetWarnings } from "../../core/tick/budget.ts";
import { workspaceState } from "../../core/history/workspace-state.ts";
import { currentTimeMs } from "../../io/machine/clock.ts";
import { filterSettings } from "../../io/git/filter-settings.ts";
import type { LockSighting } from "../../io/journal/lock.ts";
import { readHead } from "../../io/git/read-head.ts";
import { newRunId } from "../../io/workspace/run-directory.ts";
import { findStateDirectory } from "../../io/workspace/state-directory.ts";
import { type CommandFailure, type NotReady, notReady } from "../../contract/answers/command-failure.ts";
import { incompleteJournal } from "../workspace/journal-state.ts";
import { gitUnusable } from "../workspace/locate-repository.ts";
import { lockUnavailable, lookAtLocks } from "../workspace/look-at-locks.ts";
import { openWorkspace, replacedWorkspace } from "../workspace/open-workspace.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import { plannerTrouble } from "../preflight/agent-rows.ts";
import { preflightRefusal } from "../preflight/preflight.ts";
import { isGoalEmpty } from "../preflight/repository-rows.ts";
import { linesHere } from "../workspace/lines-here.ts";
import { secondsSince, statusTicks } from "./status-ticks.ts";
import { waitingForPerson } from "./waiting-for-person.ts";
import { waitingChange } from "../decisions/waiting-change.ts";

export interface StatusRequest {
  readonly cwd: string;
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** Whether to find out if a tick could begin now. */
  readonly withPreflight: boolean;
  readonly player: ScriptPlayer;
}

export function readStatus(request: StatusRequest): Promise<Status | CommandFailure> {
  return withWorkspace(request, "read", (snapshot) => statusOf(snapshot, request));
}

async function statusOf(snapshot: WorkspaceSnapshot, request: StatusRequest): Promise<Status | NotReady> {
  const unusable = await gitUnusable(snapshot.repository.root, snapshot.repository.environment);
  if (unusable !== null) return unusable;
  const replaced = replacedWorkspace(snapshot.repository.root, snapshot.config);
  if (replaced !== null) return replaced;
  const head = await readHead(snapshot.repository, request.signal);
  const { lines, config, configFile } = snapshot;
  const state = workspaceState(lines, config.budgets);
  const lock = await lookAtLocks(snapshot);
  const known = {
    ...statusTicks(linesHere(lines, snapshot.repository), lock, snapshot.repository.root),
    question: state.open_question,
    accepted: await waitingChange(snapshot, head),
  };
  return {
    kind: "status",
    repository: snapshot.repository.root,
    branch: /^ref: refs\/heads\/(?<branch>.+)$/s.exec(head.text)?.groups?.["branch"] ?? null,
    ...configPart(snapshot),
    ...troublePart(snapshot, lock),
    ...known,
    waiting: waitingForPerson(snapshot, known),
    budgets: configFile.kind === "config" ? budgetsPart(state, config) : null,
    planTrouble: await planTrouble(snapshot, request),
    preflight: request.withPreflight ? await preflight(request, snapshot, lock) : null,
  };
}

function configPart({ configFile }: WorkspaceSnapshot): Pick<Status, "config"> {
  return { config: configFile.kind === "config" ? { kind: "usable" } : configFile };
}

/** What is wrong with the runner's own files. */
function troublePart(
  { missingLines, lostTick }: WorkspaceSnapshot,
  lock: LockSighting,
): Pick<Status, "damagedLock" | "missingLines" | "lost"> {
  return {
    damagedLock: lock.kind === "corrupt" ? { path: lock.path, reason: lock.reason } : null,
    missingLines,
    lost: lostTick && { runId: lostTick.run_id, secondsAgo: secondsSince(lostTick.started_at) },
  };
}

/** Why a tick needs a task file; null where the orchestrator can plan. */
async function planTrouble(
  { config, configFile, repository }: WorkspaceSnapshot,
  { player }: StatusRequest,
): Promise<string | null> {
  if (configFile.kind !== "config") return null;
  const choice = await chooseDriver({ config, repository, player, role: "orchestrator" });
  if (choice.kind === "refused") return `The orchestrator cannot be used: ${choice.problem}.`;
  const missing = await plannerTrouble(config, repository);
  if (missing !== null) return missing;
  const isEmpty = isGoalEmpty(join(repository.root, config.workspace_dir));
  return isEmpty ? `${config.workspace_dir}/GOAL.md says nothing yet.` : null;
}

/** Who is at work here; null where nobody is. */
export async function lookAtHolder(snapshot: WorkspaceSnapshot): Promise<Lock | null> {
  const sighting = await lookAtLocks(snapshot);
  return sighting.kind === "busy" ? sighting.holder : null;
}

function budgetsPart(state: WorkspaceState, { budgets }: Config): Status["budgets"] {
  return {
    milestoneId: state.milestone_id,
    used: state.budgets,
    caps: budgets.per_milestone,
    warnAtFraction: budgets.warn_at_fraction,
    warnings: budgetWarnings(state, budgets),
  };
}

/** The questions of a tick that begins, in the same order, and nothing is written down. */
async function preflight(
  request: StatusRequest,
  { lines }: WorkspaceSnapshot,
  lock: LockSighting,
): Promise<Preflight> {
  const { signal, player } = request;
  const workspace = await openWorkspace(request, findStateDirectory);
  if (workspace.kind === "blocked") return blocked(workspace);
  if (lock.kind === "busy" || lock.kind === "corrupt") return blocked(lockUnavailable(lock));
  const incomplete = await incompleteJournal(workspace);
  if (incomplete !== null) return blocked(incomplete);
  const { config, repository } = workspace;
  const builder = await chooseDriver({ config, repository, player });
  if (builder.kind === "refused") {
    const message = `The builder cannot be used: ${builder.problem}.`;
    const remedy = `Correct the builder in ${CONFIG_NAME}, then run \`relais doctor\`.`;
    return blocked(notReady("builder_unusable", message, remedy));
  }
  const refusal = await preflightRefusal({
    ...workspace,
    workspace: workspace.folder,
    journal: foldedLines(lines),
    settings: await filterSettings(repository, signal),
    runId: newRunId(currentTimeMs()),
    signal,
  });
  return refusal === null ? { kind: "ready" } : blocked(refusal);
}

function blocked(why: Omit<Extract<Preflight, { kind: "blocked" }>, "kind">): Preflight {
  const { code, cause, message, remedy } = why;
  return { kind: "blocked", code, cause, message, ...(remedy === undefined ? {} : { remedy }) };
}
