/**
 * A round: the tasks of one answer of the orchestrator. The first one belongs to the tick that planned them. Each of the
 * others has a tick of its own, which lands what was made beside, or does the work where nothing was made.
 *
 * One that cannot land goes back once, with the reason as context. Then it waits for a person, and the others go on.
 */
import { HELD } from "../../records/suspicions.ts";
import type { Attempt } from "../../records/attempts.ts";
import { INSTRUCTIONS_CHARS_MAX, type Task } from "../../records/task.ts";
import { CODES } from "../../base/codes.ts";
import {
  findAlso,
  findAttempts,
  findFindings,
  findOutcome,
  findTask,
  findVerification,
} from "../../tick/pure/tick-facts.ts";
import type { Outcome, TickState } from "../../tick/pure/tick-state.ts";
import { describeDecision, isGreenRun } from "../../tick/pure/decisive-words.ts";
import { isCutShort, wasInterrupted } from "./cut-short.ts";

/** The reason of a series that ends with such a task. */
export const COULD_NOT_LAND = "could_not_land";

export interface RoundTask {
  readonly task: Task;
  /** What was made beside; null if its own tick does the work. */
  readonly made: Attempt | null;
  /** Whether it could not land before. */
  readonly isAgain: boolean;
}

export interface Round {
  readonly waiting: readonly RoundTask[];
  /** Where its ticks begin in the series. */
  readonly from: number;
  /** Why tasks wait for a person, one sentence each. */
  readonly unlanded: readonly string[];
}

/** The round after a tick has ended; null if nothing is left of it. */
export function foldRound(round: Round | null, state: TickState, from: number): Round | null {
  const [task, outcome] = [findTask(state), findOutcome(state)];
  if (task === null || outcome === null) return round;
  const mine = round?.waiting.find((one) => one.task.task_id === task.task_id);
  if (round === null || mine === undefined) return beginRound(state, { outcome, from }) ?? round;
  return endTask(round, mine, { state, outcome });
}

/** Without what was made beside, an interrupted tick leaves nothing: its tasks are planned again. */
function beginRound(
  state: TickState,
  { outcome, from }: { readonly outcome: Outcome; readonly from: number },
): Round | null {
  const [also, attempts] = [findAlso(state), findAttempts(state)?.list ?? null];
  if (also.length === 0 || (attempts === null && isCutShort(outcome))) return null;
  if (wasInterrupted(outcome)) return keepFinished({ state, from }, also, attempts ?? []);
  const waiting = also.map((task) => {
    const made = attempts?.find(({ task_id }) => task_id === task.task_id) ?? null;
    return { task, made, isAgain: false };
  });
  const back = attempts === null ? null : sendFirstBack(attempts, { state, outcome });
  const ready = waiting.toSorted((one, other) => rank(one) - rank(other));
  return { waiting: back === null ? ready : [...ready, back], from, unlanded: [] };
}

/** After a signal or a crash, what was finished beside lands or is recorded; the other tasks are planned again. */
function keepFinished(
  { state, from }: { readonly state: TickState; readonly from: number },
  also: readonly Task[],
  attempts: readonly Attempt[],
): Round | null {
  const first = findTask(state);
  const waiting = [...(first === null ? [] : [first]), ...also].flatMap((task): readonly RoundTask[] => {
    const made = attempts.find(({ task_id }) => task_id === task.task_id);
    const isFinished = made !== undefined && made.code !== "STOP_INTERRUPTED" && !isCutShort({ ...made, ...NO_WORDS });
    return isFinished ? [{ task, made, isAgain: false }] : [];
  });
  const ready = waiting.toSorted((one, other) => rank(one) - rank(other));
  return ready.length === 0 ? null : { waiting: ready, from, unlanded: [] };
}

const NO_WORDS = { cause: null, message: null };

/** The first one passed beside and not here: HEAD has moved, perhaps. */
function sendFirstBack([first]: readonly Attempt[], ended: EndedTask): RoundTask | null {
  const { state, outcome } = ended;
  const task = findTask(state);
  if (task === null || first?.verdict !== "success" || isOver(outcome) || isCutShort(outcome)) return null;
  const again = sendBack(task, explain(ended));
  return again === null ? null : { task: again, made: null, isAgain: true };
}

/** It was kept, a person has decided, or a person is to decide. */
function isOver({ code }: Outcome): boolean {
  return CODES[code].verdict === "success" || code === "STOP_REJECTED" || code === HELD;
}

/** What is ready lands first; a failure is only recorded. */
function rank({ made }: RoundTask): number {
  if (made === null) return 1;
  return made.verdict === "success" ? 0 : 2;
}

interface EndedTask {
  readonly state: TickState;
  readonly outcome: Outcome;
}

function endTask(round: Round, mine: RoundTask, ended: EndedTask): Round | null {
  const { outcome } = ended;
  const isRecorded = mine.made !== null && mine.made.verdict !== "success";
  if (isCutShort(outcome) && !isRecorded) return round;
  const rest = { ...round, waiting: round.waiting.filter((one) => one !== mine) };
  const isFirstTry = mine.made === null && !mine.isAgain;
  return isOver(outcome) || isRecorded || isFirstTry ? tidy(rest) : refuseLanding(rest, mine, ended);
}

function refuseLanding(rest: Round, { task, isAgain }: RoundTask, ended: EndedTask): Round {
  const again = isAgain ? null : sendBack(task, explain(ended));
  if (again !== null) return { ...rest, waiting: [...rest.waiting, { task: again, made: null, isAgain: true }] };
  const reason = `${task.task_id} (${task.intent ?? ""}) could not land: ${ended.outcome.code}.`;
  return { ...rest, unlanded: [...rest.unlanded, reason] };
}

function tidy(round: Round): Round | null {
  return round.waiting.length === 0 && round.unlanded.length === 0 ? null : round;
}

/** A patch has no instructions that could be added to. */
function sendBack(task: Task, reason: string): Task | null {
  if (task.task_kind !== "execute" || task.builder.mode === "patch") return null;
  const { builder } = task;
  const instructions = `${builder.instructions}

This was done before, beside other tasks, and could not land after them. Do it again from the files as they are now.
${reason}`;
  return { ...task, builder: { ...builder, instructions: instructions.slice(0, INSTRUCTIONS_CHARS_MAX) } };
}

function explain({ state, outcome }: EndedTask): string {
  const runs = findVerification(state)?.runs ?? [];
  const findings = findFindings(state);
  const decision = describeDecision({ findings, findings_total: findings.length, runs });
  const lines = runs.find((run) => !isGreenRun(run))?.last_lines ?? [];
  return [outcome.message ?? decision ?? outcome.code, ...lines].join("\n");
}
