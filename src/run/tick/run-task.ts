/**
 * `relais run`: one tick, with a task file, a patch, or a task of the orchestrator.
 *
 * Cheap checks come first: the task, the workspace, the lock, the journal,
 * the builder. Nothing is written before the lock is held.
 */
import type { CommandFailure } from "../../contract/answers/command-failure.ts";
import { InvariantError } from "../../contract/values/invariant.ts";
import { makeTickNotification } from "../../core/history/notification.ts";
import { WorkspaceFold } from "../../core/history/workspace-state.ts";
import { listTaskMistakes } from "../../core/tick/task-admission.ts";
import { makeRelay } from "../../core/workflow/relay.ts";
import { decideNextWork } from "../../core/workflow/workflow.ts";
import { planDryRun } from "./dry-run.ts";
import type { DryRun, PlanDryRun } from "../../contract/answers/dry-run.ts";
import type { LockedWorkspace } from "../workspace/workspace.ts";
import type { CommandContext } from "../workspace/command-context.ts";
import { notify } from "../workspace/notify.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import { openSession } from "./open-session.ts";
import { makePatchTask } from "./read-patch.ts";
import { type PatchSource, type PatchText, readPatch } from "./read-patch.ts";
import { readTaskFile, type TaskFile } from "./read-task.ts";
import { type TickEnding, runWork } from "./run-work.ts";
import { emitOpened } from "./emit-recorded.ts";
import { type Misuse, reportMisuse } from "../workspace/misuse.ts";

export interface RunTaskRequest extends CommandContext {
  /** Null where the orchestrator plans. */
  readonly taskFile: string | PatchSource | null;
  /** Only check whether the tick could start. */
  readonly isDryRun: boolean;
}

interface FinishedTick extends TickEnding {
  /** Called once the locks are released; answers with a warning if it fails. */
  readonly notify: () => Promise<string | null>;
}

type Answer = FinishedTick | DryRun | PlanDryRun | Misuse;
export type TickAnswer = Answer | CommandFailure;

type GivenTask = Extract<TaskFile, { kind: "task" }> | PatchText | null;

export async function runTask(request: RunTaskRequest): Promise<TickAnswer> {
  const given = await readGiven(request);
  if (given?.kind === "misused") return given;
  return withWorkspace(request, "tick", (workspace) => runGiven(request, given, workspace));
}

async function readGiven({ taskFile, cwd }: RunTaskRequest): Promise<GivenTask | Misuse> {
  if (taskFile === null) return null;
  return typeof taskFile === "string" ? readTaskFile(taskFile, cwd) : readPatch(taskFile, cwd);
}

async function runGiven(request: RunTaskRequest, given: GivenTask, workspace: LockedWorkspace): Promise<TickAnswer> {
  const { config, repository, journal, runId } = workspace;
  const read = makeTask(given, workspace);
  if (read?.kind === "misused") return read;
  const task = read?.task ?? null;
  const workflow = makeRelay(task, config);
  const next = decideNextWork(workflow, { lines: journal.lines(), seriesId: runId });
  if (next.kind !== "work") throw new InvariantError("a series ended before it began");
  const work = { ...next.work, isOwnPatch: given?.kind === "patch" };
  const opened = await openSession({ ...request, workspace, seriesId: runId, work });
  if (opened.kind === "blocked") return opened;
  if (request.isDryRun) return planDryRun(opened.session);
  emitOpened(request.emit, { seriesId: runId, lines: journal.lines() });
  const { relaisVersion } = request;
  const ended = await runWork(opened.session, { workflow: workflow.name, work, relaisVersion });
  const notification = makeTickNotification(ended.report, repository.root);
  return { ...ended, notify: () => notify({ ...request, config }, notification) };
}

function makeTask(given: GivenTask, { config, journal }: LockedWorkspace): TaskFile | null {
  if (given === null) return null;
  const state = journal.fold(WorkspaceFold).state(config.budgets);
  const task = given.kind === "patch" ? makePatchTask(given, { config, state }) : given;
  const problems = task.kind === "task" ? listTaskMistakes(task.task, config) : [];
  if (problems.length === 0) return task;
  return reportMisuse("The task cannot be worked on with this configuration.", problems);
}
