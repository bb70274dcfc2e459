/**
 * `relais status`: reads only, without a lock, and waits for nobody: a running relais is part of
 * the answer.
 */
import { type CommandFailure, type NotReady } from "../records/command-failure.ts";
import type { Status } from "../records/status.ts";
import type { Head } from "../records/evidence.ts";
import type { Lock } from "../records/lock.ts";
import { findLastAcceptedRun } from "../journal/pure/journal-runs.ts";
import { foldWorkspaceState } from "../journal/pure/workspace-state.ts";
import { describeBudgets } from "../workspace/budget-use.ts";
import { findSettlement } from "../tick/pure/tick-facts.ts";
import { findGitProgram } from "../git/git-program.ts";
import { readHeadFiles } from "../git/head-files.ts";
import type { LockSighting } from "../journal/acquire-lock.ts";
import { countSecondsSince } from "../system/clock.ts";
import { listRepositoryLines } from "../workspace/lines-of-repository.ts";
import { lookAtLocks } from "../workspace/look-at-locks.ts";
import { findReplacedWorkspace } from "../workspace/workspace-refusals.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";
import { findPlanTrouble } from "./plan-trouble.ts";
import type { runPreflight } from "./status-preflight.ts";
import type { StatusRequest } from "./status-request.ts";
import { summariseTicks } from "./status-ticks.ts";
import { listWaitingForPerson } from "./waiting-for-person.ts";

export function readStatus(request: StatusRequest): Promise<Status | CommandFailure> {
  return withSnapshot(request, (snapshot) => summariseStatus(snapshot, request));
}

/** The status of a workspace that was read already. */
export async function summariseStatus(snapshot: WorkspaceSnapshot, request: StatusRequest): Promise<Status | NotReady> {
  const unusable = await explainMissingGit(snapshot);
  if (unusable !== null) return unusable;
  const replaced = findReplacedWorkspace(snapshot.repository.root, snapshot.config);
  if (replaced !== null) return replaced;
  const head = await findHead(snapshot, request);
  const { lines, config, configFile } = snapshot;
  const state = foldWorkspaceState(lines, config.budgets);
  const lock = await lookAtLocks(snapshot);
  const ownLines = listRepositoryLines(lines, snapshot.repository);
  const ticks = summariseTicks(ownLines, lock, snapshot.repository.root);
  const known = {
    ...ticks,
    running: ticks.running && { ...ticks.running, isPausing: await isPausing(snapshot) },
    question: state.open_question,
    accepted: await findAccepted(snapshot, { head, lines: ownLines }),
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
    preflight: request.withPreflight ? await lookAhead(request, snapshot, lock) : null,
  };
}

/** Only whether there is one: its version matters to commands that run it. */
async function explainMissingGit({ repository }: WorkspaceSnapshot): Promise<NotReady | null> {
  if (findGitProgram(repository.root, repository.environment) !== null) return null;
  const { explainUnusableGit } = await import("../workspace/usable-git.ts");
  return explainUnusableGit(repository.root, repository.environment);
}

/** Git is asked only where the files do not say. */
async function findHead({ repository }: WorkspaceSnapshot, { signal }: StatusRequest): Promise<Head> {
  const found = readHeadFiles(repository);
  if (found !== null) return found;
  const { readHead } = await import("../git/read-head.ts");
  return readHead(repository, signal);
}

async function isPausing(snapshot: WorkspaceSnapshot): Promise<boolean> {
  const { isPauseRequested } = await import("../workspace/pause-runner.ts");
  return isPauseRequested(snapshot);
}

/** The files are compared only where a change may wait. */
async function findAccepted(
  snapshot: WorkspaceSnapshot,
  { head, lines }: { readonly head: Head; readonly lines: WorkspaceSnapshot["lines"] },
): Promise<Status["accepted"]> {
  const last = findLastAcceptedRun(lines, snapshot.repository.root);
  if (last === null || findSettlement(last.state).isCommitted) return null;
  const { findWaitingChange } = await import("../tick/waiting-change.ts");
  return findWaitingChange(snapshot, head);
}

async function lookAhead(...request: Parameters<typeof runPreflight>): ReturnType<typeof runPreflight> {
  return (await import("./status-preflight.ts")).runPreflight(...request);
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

export async function lookAtHolder(snapshot: WorkspaceSnapshot): Promise<Lock | null> {
  const sighting = await lookAtLocks(snapshot);
  return sighting.kind === "busy" ? sighting.holder : null;
}
