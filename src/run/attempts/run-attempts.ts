/**
 * Several attempts at one task, each by a relais of its own in a place of its own.
 *
 * They live no longer than this process. What each of them made is taken over: the best one by its moves, the others as
 * salvage. Then their places are removed.
 */
import { join } from "node:path";
import type { ChosenAgent } from "../../contract/config/choices.ts";
import type { Attempt } from "../../contract/documents/attempts.ts";
import type { Task } from "../../contract/documents/task.ts";
import { WorkspaceFold } from "../../core/history/workspace-state.ts";
import { countDollarsLeft } from "../../core/tick/budget.ts";
import { chooseAttempt } from "../../core/tick/choose-attempt.ts";
import { readConfiguredMode } from "../../core/tick/task-admission.ts";
import { followJournal } from "../../io/journal/follow-journal.ts";
import { readClockMs } from "../../io/machine/clock.ts";
import { nameMarkerVariable } from "../../io/machine/environment.ts";
import { makeDeadlineSignal } from "../../io/machine/deadline-signal.ts";
import { nameTickMarker } from "../../io/process/reap-session.ts";
import { clearAttempts, locateAttempts, removeAttempts } from "../session/attempt-folder.ts";
import type { AttemptsEnd, AttemptsPort, RunningSession } from "../session/tick-session.ts";
import { ATTEMPT_VARIABLE, SHARE_VARIABLE } from "../workspace/own-environment.ts";
import { prepareAttempt } from "./attempt-place.ts";
import { type MadeAttempt, type ReadAttempt, sumUsage } from "./attempt-result.ts";
import { type JobPlace, locateJobPlace, locateJobState } from "../queue/job-workspace.ts";
import { runChild } from "../queue/run-child.ts";

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
  return { count: plan.count, run: (session, task) => runAttempts(plan, session, task) };
}

async function runAttempts(plan: AttemptsPlan, session: RunningSession, task: Task): Promise<AttemptsEnd> {
  const { stateDirectory, runId, deadlineAt, signal } = session;
  await clearAttempts(stateDirectory);
  const folder = locateAttempts(stateDirectory, runId);
  const stop = AbortSignal.any([signal, makeDeadlineSignal(deadlineAt)]);
  try {
    const numbers = Array.from({ length: plan.count }, (_, index) => index + 1);
    const made = await Promise.all(numbers.map((number) => runOne(plan, session, { number, folder, stop })));
    return await conclude(session, task, made);
  } finally {
    removeAttempts(stateDirectory);
  }
}

interface OneAttempt {
  readonly number: number;
  readonly folder: string;
  readonly stop: AbortSignal;
}

async function runOne(plan: AttemptsPlan, session: RunningSession, one: OneAttempt): Promise<MadeAttempt> {
  const { number, folder, stop } = one;
  const { repository, config, runId } = session;
  const agent = plan.agents[(number - 1) % Math.max(1, plan.agents.length)] ?? null;
  const place = locateJobPlace(join(folder, String(number)), `${runId}-${number}`, {
    ...repository.environment,
    ...nameMarkerVariable(repository.environment, [nameTickMarker(runId)]),
    [ATTEMPT_VARIABLE]: String(number),
    ...splitMoney(session, plan.count),
  });
  const startedAt = readClockMs();
  await prepareAttempt(place, { repository, config, files: plan.files });
  const following = await follow(session, place, number);
  const args = plan.makeArguments(agent, place.files);
  const run = { relais: plan.relais, args, place, name: "attempt", onStarted: async () => true, stop };
  const end = await runChild(run).finally(following);
  const used = agent ?? readConfiguredMode(config);
  const begun = { number, agent: used === "cursor" ? "command" : used, durationMs: readClockMs() - startedAt } as const;
  return plan.read({ session, place, begun, document: end?.document ?? null });
}

/** All of them together hold the cap: each may spend an equal part of what is left. */
function splitMoney({ config: { budgets }, journal }: RunningSession, count: number): Record<string, string> {
  const left = countDollarsLeft(journal.fold(WorkspaceFold).state(budgets), budgets);
  return left === null ? {} : { [SHARE_VARIABLE]: String(left / count) };
}

/** Shows what the attempt records; answers with the function that ends it. */
async function follow({ emit }: RunningSession, place: JobPlace, number: number): Promise<() => Promise<void>> {
  const over = new AbortController();
  const path = join(await locateJobState(place), "journal.jsonl");
  const onLines: Parameters<typeof followJournal>[0]["onLines"] = (lines) => {
    for (const line of lines) emit?.({ kind: "attempt", number, line });
  };
  const followed = followJournal({ path, lines: [], signal: over.signal, onLines, onTrouble: () => {} });
  return async () => {
    over.abort();
    await followed;
  };
}

async function conclude(session: RunningSession, task: Task, made: readonly MadeAttempt[]): Promise<AttemptsEnd> {
  const choice = chooseAttempt(made.map(({ attempt }) => attempt));
  const list: Attempt[] = [];
  for (const { attempt, keep } of made)
    list.push(attempt.number === choice.chosen ? attempt : { ...attempt, ...(await keep(task)) });
  const best = made.find(({ attempt }) => attempt.number === choice.chosen);
  return {
    attempts: { list, ...choice },
    usage: sumUsage(list.map(({ usage }) => usage)),
    ...((await best?.adopt()) ?? { moves: [], commits: null }),
    summary: best?.summary ?? null,
  };
}
