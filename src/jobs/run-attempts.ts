/**
 * Several attempts at one task, or several tasks, each by a relais of its own in a place of its own.
 *
 * They live no longer than this process. What each of them made is taken over: the best one by its moves, the others as
 * salvage. Then their places are removed.
 */
import { join } from "node:path";
import type { ChosenAgent } from "../config/choices.ts";
import type { Attempt, Attempts } from "../records/attempts.ts";
import type { Task } from "../records/task.ts";
import { WorkspaceFold } from "../journal/pure/workspace-state.ts";
import { countLeft } from "../tick/pure/budget.ts";
import { chooseAttempt, isUsable, sumUsage } from "../tick/pure/attempt-report.ts";
import { readConfiguredMode } from "../tick/pure/task-admission.ts";
import { getGitBounds, withGitBounds } from "../git/git-environment.ts";
import { followJournal } from "../journal/follow-journal.ts";
import { readClockMs } from "../system/clock.ts";
import { nameMarkerVariable } from "../system/child-environment.ts";
import { makeDeadlineSignal } from "../system/pause.ts";
import { nameTickMarker } from "../process/reap-session.ts";
import { CONTEXT_VARIABLE } from "../base/environment.ts";
import { readContext } from "../tick/perform-build.ts";
import { clearAttempts, locateAttempts, removeAttempts } from "../tick/prompt-files.ts";
import type { AttemptsEnd, AttemptsPort, RoundPort, RunningTick } from "../tick/running-tick.ts";
import { ATTEMPT_VARIABLE, PLANNED_VARIABLE, SHARE_VARIABLE } from "../workspace/own-environment.ts";
import { type MadeAttempt, prepareAttempt, type ReadAttempt } from "./attempt-result.ts";
import { type JobPlace, locateJobPlace, locateJobState } from "./job-workspace.ts";
import { runChild } from "./run-child.ts";

export interface AttemptsPlan {
  readonly count: number;
  /** In turn; none is the configured one. */
  readonly agents: readonly ChosenAgent[];
  readonly relais: readonly [node: string, executable: string];
  /** The command of one attempt; `files` is the folder of the texts. */
  readonly makeArguments: (agent: ChosenAgent | null, files: string) => readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** What became of one attempt. */
  readonly read: ReadAttempt;
}

export function makeAttempts(plan: AttemptsPlan): AttemptsPort {
  return {
    count: plan.count,
    run: (session, task) => {
      const efforts = Array.from({ length: plan.count }, (_, index) => planEffort(plan, index + 1, task));
      return runAttempts(session, { ...plan, efforts, choose: chooseBest });
    },
  };
}

const chooseBest = (made: readonly MadeAttempt[]): Choice => chooseAttempt(made.map(({ attempt }) => attempt));

function chooseFirst([first]: readonly MadeAttempt[]): Choice {
  return { chosen: first !== undefined && isUsable(first.attempt) ? first.attempt.number : null, rule: null };
}

type Choice = Pick<Attempts, "chosen" | "rule">;

const NO_CHOICE: Choice = { chosen: null, rule: null };

interface RoundPlan extends Pick<AttemptsPlan, "relais" | "read"> {
  /** The command of one task; `file` has the task. */
  readonly makeArguments: (file: string) => readonly string[];
}

const TASK_FILE = "task.json";

/** The first task belongs to this tick. The others keep their work in salvage, until each lands in its own tick. */
export function makeRound(plan: RoundPlan): RoundPort {
  return {
    run: (session, tasks) => {
      const efforts = tasks.map((task, index): Effort => ({
        number: index + 1,
        agent: null,
        task,
        isOwnTask: true,
        files: { [TASK_FILE]: `${JSON.stringify(task, null, 2)}\n` },
        makeArguments: (files) => plan.makeArguments(`${files}/${TASK_FILE}`),
      }));
      return runAttempts(session, { ...plan, efforts, choose: chooseFirst });
    },
  };
}

function planEffort({ agents, files, makeArguments }: AttemptsPlan, number: number, task: Task): Effort {
  const agent = agents[(number - 1) % Math.max(1, agents.length)] ?? null;
  return { number, agent, task, isOwnTask: false, files, makeArguments: (folder) => makeArguments(agent, folder) };
}

interface Effort {
  readonly number: number;
  /** Null is the configured one. */
  readonly agent: ChosenAgent | null;
  readonly task: Task;
  /** Whether an orchestrator gave it a task of its own. */
  readonly isOwnTask: boolean;
  readonly files: Readonly<Record<string, string>>;
  readonly makeArguments: (files: string) => readonly string[];
}

interface Efforts extends Pick<AttemptsPlan, "relais" | "read"> {
  readonly efforts: readonly Effort[];
  readonly choose: (made: readonly MadeAttempt[]) => Choice;
}

async function runAttempts(session: RunningTick, all: Efforts): Promise<AttemptsEnd> {
  const {
    tick: { runId, deadlineAt, signal },
    where: { stateDirectory },
  } = session;
  await clearAttempts(stateDirectory);
  const folder = locateAttempts(stateDirectory, runId);
  const stop = AbortSignal.any([signal, makeDeadlineSignal(deadlineAt)]);
  try {
    const made = await Promise.all(all.efforts.map((effort) => runOne(all, session, { effort, folder, stop })));
    return await takeOver(() => conclude(session, all, made));
  } finally {
    removeAttempts(stateDirectory);
  }
}

/** What was made is taken over also after a signal, which ends every git of the tick. */
function takeOver<T>(work: () => Promise<T>): Promise<T> {
  return withGitBounds({ ...getGitBounds(), signal: null }, work);
}

interface OneAttempt {
  readonly effort: Effort;
  readonly folder: string;
  readonly stop: AbortSignal;
}

async function runOne(all: Efforts, session: RunningTick, { effort, folder, stop }: OneAttempt): Promise<MadeAttempt> {
  const {
    tick: { config, runId },
    where: { repository },
  } = session;
  const { number, agent, isOwnTask, task } = effort;
  const context = readContext(session);
  const place = locateJobPlace(join(folder, String(number)), `${runId}-${number}`, {
    ...repository.environment,
    ...nameMarkerVariable(repository.environment, [nameTickMarker(runId)]),
    ...(context === null ? {} : { [CONTEXT_VARIABLE]: context }),
    [ATTEMPT_VARIABLE]: String(number),
    ...(isOwnTask ? { [PLANNED_VARIABLE]: "1" } : {}),
    ...splitMoney(session, all.efforts.length),
  });
  const startedAt = readClockMs();
  await prepareAttempt(place, repository, config, effort.files);
  const following = await follow(session, place, effort);
  const args = effort.makeArguments(place.files);
  const run = { relais: all.relais, args, place, name: "attempt", onStarted: async () => true, stop };
  const end = await runChild(run).finally(following);
  const used = agent ?? readConfiguredMode(config);
  const begun = { number, agent: used === "cursor" ? "command" : used, durationMs: readClockMs() - startedAt } as const;
  const made = await takeOver(() => all.read({ session, place, begun, document: end?.document ?? null }));
  return isOwnTask ? { ...made, attempt: nameTask(made, task) } : made;
}

/** Its own tick tells why it failed. */
function nameTask({ attempt, reason, until }: MadeAttempt, { task_id }: Task): Attempt {
  const isRed = attempt.verdict !== "success";
  return {
    ...attempt,
    task_id,
    ...(isRed && reason != null ? { message: reason.slice(0, MESSAGE_CHARS) } : {}),
    ...(isRed && until !== undefined ? { until } : {}),
  };
}

const MESSAGE_CHARS = 4000;

/** All of them together hold the cap: each may spend an equal part of what is left. */
function splitMoney(
  {
    tick: {
      config: { budgets },
    },
    record: { journal },
  }: RunningTick,
  count: number,
): Record<string, string> {
  const left = countLeft(journal.fold(WorkspaceFold).state(budgets), budgets, "estimated_cost_usd");
  return left === null ? {} : { [SHARE_VARIABLE]: String(left / count) };
}

/** Shows what the attempt records; answers with the function that ends it. */
async function follow(
  { record: { emit } }: RunningTick,
  place: JobPlace,
  effort: Effort,
): Promise<() => Promise<void>> {
  const { number, isOwnTask, task } = effort;
  const about = { number, ...(isOwnTask ? { task: task.task_id } : {}) };
  const over = new AbortController();
  const path = join(await locateJobState(place), "journal.jsonl");
  const onLines: Parameters<typeof followJournal>[0]["onLines"] = (lines) => {
    for (const line of lines) emit?.({ kind: "attempt", ...about, line });
  };
  const followed = followJournal({ path, lines: [], signal: over.signal, onLines, onTrouble: () => {} });
  return async () => {
    over.abort();
    await followed;
  };
}

/** Where no attempt passed, one that gave the task back speaks for all. */
function findWords(best: MadeAttempt | undefined, made: readonly MadeAttempt[]): string | null {
  const speaker = best ?? made.find(({ attempt }) => attempt.code === "STOP_QUESTION");
  return speaker?.summary ?? null;
}

async function conclude(session: RunningTick, all: Efforts, made: readonly MadeAttempt[]): Promise<AttemptsEnd> {
  // After a signal nothing is adopted, so all of it is kept.
  const choice = session.tick.signal.aborted ? NO_CHOICE : all.choose(made);
  const list: Attempt[] = [];
  for (const [at, { attempt, keep }] of made.entries()) {
    const task = all.efforts[at]?.task;
    const isKept = attempt.number !== choice.chosen && task !== undefined;
    list.push(isKept ? { ...attempt, ...(await keep(task)) } : attempt);
  }
  const best = made.find(({ attempt }) => attempt.number === choice.chosen);
  return {
    attempts: { list, ...choice },
    usage: sumUsage(list.map(({ usage }) => usage)),
    ...((await best?.adopt()) ?? { moves: [], commits: null }),
    summary: findWords(best, made),
  };
}
