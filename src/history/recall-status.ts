/**
 * The status from what the last command remembered, if that still holds: the same journal, the same configuration, and
 * nobody at work. It loads neither the journal nor the configuration, and reads as much after ten thousand ticks as
 * after one. Null where everything has to be read.
 */
import { join } from "node:path";
import { REMEMBERED_STATUS, type RememberedStatus } from "../records/remembered-status.ts";
import type { Status, WaitingChange } from "../records/status-answers.ts";
import { CONFIG_NAME } from "../config/config-name.ts";
import { isThere, readNow } from "../system/read-files.ts";
import { findGitProgram } from "../git/git-program.ts";
import { readHeadFiles } from "../git/head-files.ts";
import type { Repository } from "../git/repository-layout.ts";
import { countSecondsSince, dropPast } from "../system/clock.ts";
import { findStateDirectory } from "../journal/state-directory.ts";
import { readRemembered } from "../journal/remembered-file.ts";
import { findWorkspaceProblem, WORKSPACE_MISSING } from "../journal/workspace-folder.ts";
import { describeGoal, isGoalEmpty } from "../tick/goal-file.ts";
import { locateRepository } from "../workspace/locate-repository.ts";
import { describeMissing } from "../workspace/missing-program.ts";
import type { StatusRequest } from "./status-preflight.ts";
import { listDecisions } from "./waiting-decisions.ts";

const CONFIG_BYTES_MAX = 1024 * 1024;

export async function recallStatus(request: StatusRequest): Promise<Status | null> {
  if (request.withPreflight) return null;
  const repository = await locateRepository(request, { needsGit: false });
  if (repository.kind === "blocked") return null;
  const state = findStateDirectory(repository, request.environment);
  const found = state.kind === "ready" ? readRemembered(state.path, REMEMBERED_STATUS) : null;
  if (state.kind !== "ready" || found === null) return null;
  try {
    const remembered: RememberedStatus = JSON.parse(found.text);
    return isValid(remembered, repository, state.lockPath) ? await fillIn(remembered, repository) : null;
  } catch {
    return null; // Somebody else may have written it, and it is no reason for a crash.
  }
}

/** Besides the journal, which was compared when it was read. */
function isValid(remembered: RememberedStatus, repository: Repository, lockPath: string): boolean {
  const { root, environment } = repository;
  const text = readNow(join(root, CONFIG_NAME), { bytesMax: CONFIG_BYTES_MAX });
  const problem = findWorkspaceProblem(root, remembered.workspaceDir);
  return (
    remembered.root === root &&
    remembered.configText === (text === null ? null : text.toString("utf8")) &&
    !isThere(lockPath) &&
    !isThere(join(root, remembered.lockfile)) &&
    (problem === null || problem === WORKSPACE_MISSING) &&
    findGitProgram(root, environment) !== null
  );
}

async function fillIn(remembered: RememberedStatus, repository: Repository): Promise<Status | null> {
  const { lastTick, lastTickAt, openSeries, question, budgets, configText } = remembered;
  const head = readHeadFiles(repository);
  if (head === null) return null;
  const accepted = await findAccepted(remembered, repository.root, head.commit);
  return {
    kind: "status",
    repository: repository.root,
    branch: /^ref: refs\/heads\/(?<branch>.+)$/s.exec(head.text)?.groups?.["branch"] ?? null,
    config: { kind: configText === null ? "missing" : "usable" },
    damagedLock: null,
    missingLines: 0,
    lost: null,
    running: null,
    unfinished: null,
    notPutBack: null,
    lastTick: lastTick && {
      ...lastTick,
      secondsAgo: countSecondsSince(lastTickAt ?? ""),
      retryAt: dropPast(lastTick.retryAt ?? null),
    },
    openSeries,
    question,
    accepted,
    waiting: [...listDecisions({ unfinished: null, question, accepted }), ...remembered.waiting],
    budgets,
    planTrouble: await findPlanTrouble(remembered, repository),
    preflight: null,
  };
}

async function findAccepted(
  { change }: RememberedStatus,
  root: string,
  commit: string | null,
): Promise<WaitingChange | null> {
  if (change === null || change.baseCommit !== commit) return null;
  const { isAsBefore } = await import("../keep/is-as-before.ts");
  if (isAsBefore(root, change.paths)) return null;
  const { runId, files, newFiles } = change;
  return { runId, files, newFiles };
}

async function findPlanTrouble(
  { planner, workspaceDir }: RememberedStatus,
  { root, environment }: Repository,
): Promise<string | null> {
  const place = { root, path: environment["PATH"] };
  const missing = await describeMissing({ ...place, program: planner, role: "orchestrator" });
  if (missing !== null) return missing;
  const workspace = join(root, workspaceDir);
  return isGoalEmpty(workspace) ? describeGoal(workspace, { workspace_dir: workspaceDir }) : null;
}
