/**
 * Asks the orchestrator once and reads its answer.
 *
 * It may only read and answer. Its changes are reverted with the tick: a task without a builder is judged right
 * away by the rules of its kind, and a task with a builder is refused here, because the builder would find
 * the change and be judged for it.
 */
import { join } from "node:path";
import type { SessionReply } from "../agents/driver.ts";
import type { Code } from "../base/codes.ts";
import type { TickEvent } from "../records/event.ts";
import { InvariantError, unreachable } from "../base/errors.ts";
import type { Task } from "../records/task.ts";
import { judge } from "../judge/pure/judge.ts";
import { answerExcerpt, readTaskAnswer } from "./pure/read-task-answer.ts";
import { makeRoundSchema } from "./pure/orchestrator-prompt.ts";
import type { StateIn } from "./pure/tick-state.ts";
import { readClockMs } from "../system/clock.ts";
import { readRules } from "./perform-judge.ts";
import { refuseMissingCheck } from "../workspace/missing-check-programs.ts";
import { describeOwnChecks, findRefusal } from "./announce-plan.ts";
import { describeFailure, describeTime, handOver, isOutOfQuota, pickEarliestRetry } from "./own-record.ts";
import { readInterruption, type ReadyOrchestrator, type RunningTick, TICK_TIMEOUT } from "./running-tick.ts";
import { restoreOutputFile, runAgent, withDropFolder } from "./run-agent.ts";

/** An answer is small. */
const OUTPUT_BYTES_MAX = 32 * 1024 * 1024;
const SHOWN_PATHS_MAX = 5;

type Refused = Extract<TickEvent, { type: "refused" }>;
type Failed = Extract<SessionReply, { kind: "failed" }>;
type Finished = Extract<SessionReply, { kind: "finished" }>;

type OrchestrateState = StateIn<"orchestrate">;

export async function performOrchestrate(
  session: RunningTick,
  orchestrator: ReadyOrchestrator,
  state: OrchestrateState,
): Promise<TickEvent> {
  const { limits } = orchestrator;
  const remainingMs = session.tick.deadlineAt - readClockMs();
  const ownMs = orchestrator.limits.timeoutMs ?? Number.POSITIVE_INFINITY;
  const reply = await askOrchestrator(session, orchestrator, {
    dispatch: state.planning.dispatch,
    timeoutMs: Math.min(ownMs, remainingMs),
  });
  if (reply.undead.length > 0)
    return failSession("processes_survived", "A process of the orchestrator could not be stopped.");
  switch (reply.kind) {
    case "finished":
      return concludeFinished(session, state, reply);
    case "failed":
      return tryAgain(session, state, reply) ?? concludeFailed(orchestrator, state, reply);
    case "timed-out":
      if (reply.limit === "time" && remainingMs <= ownMs) return TICK_TIMEOUT;
      return failSession(
        reply.limit === "idle" ? "idle_timeout" : "timeout",
        `The orchestrator timed out: ${describeTime(reply.limit, limits)}.`,
      );
    case "not-found":
      return failSession("not_found", `The orchestrator cannot be started: ${reply.message}`);
    case "aborted":
      return readInterruption(session.tick.signal);
    default:
      return unreachable(reply);
  }
}

function concludeFailed(orchestrator: ReadyOrchestrator, state: OrchestrateState, reply: Failed): TickEvent {
  const over = isOutOfQuota(reply) ? handOver(orchestrator, "orchestrator", reply) : null;
  const message = `The orchestrator failed: ${describeFailure(reply, readTurnLimit(orchestrator.limits))}.`;
  return (
    over ?? {
      ...failSession(reply.cause, message, reply.code),
      ...pickEarliestRetry(state, reply),
      ...(reply.usage === undefined ? {} : { usage: reply.usage }),
    }
  );
}

/** The program corrects an answer that misses the schema within its own turns; without enough of them, here. */
const WITHOUT_ANSWER: readonly string[] = ["max_turns", "schema_unsatisfied"];

function tryAgain(session: RunningTick, state: OrchestrateState, { cause, message, usage }: Failed): TickEvent | null {
  if (!WITHOUT_ANSWER.includes(cause) || !mayAskAgain(session, state)) return null;
  const rejection = { cause, message: `No answer follows the schema: ${message}.`, excerpt: null };
  return { type: "plan_rejected", ...rejection, usage: usage ?? null };
}

function readTurnLimit({ maxTurns, keys }: ReadyOrchestrator["limits"]) {
  return maxTurns === null ? null : { max: maxTurns, key: keys.turns };
}

async function askOrchestrator(
  session: RunningTick,
  orchestrator: ReadyOrchestrator,
  { dispatch, timeoutMs }: { readonly dispatch: string; readonly timeoutMs: number },
): Promise<SessionReply> {
  const { prompt } = session.left;
  if (prompt === undefined) throw new InvariantError("an orchestrator is asked that was not announced");
  const reply = await withDropFolder(session, dispatch, (drop) =>
    runAgent(session, orchestrator, {
      role: "orchestrator",
      system: prompt.system,
      prompt: prompt.user,
      maxTurns: orchestrator.limits.maxTurns,
      schema: chooseSchema(orchestrator.texts.schema, session.work.tasksMax),
      taskText: null,
      drop,
      timeoutMs,
      outputBytesMax: OUTPUT_BYTES_MAX,
    }),
  );
  await restoreOutputFile(session, orchestrator);
  return reply;
}

function chooseSchema(task: object, tasksMax = 1): object {
  return tasksMax > 1 ? makeRoundSchema(task, tasksMax) : task;
}

/** A session without an answer. */
function failSession(cause: string, message: string, code: Code = "STOP_INTERRUPTED"): Refused {
  return {
    type: "refused",
    code,
    cause: `orchestrator_${cause}`,
    message,
  };
}

async function concludeFinished(session: RunningTick, state: OrchestrateState, reply: Finished): Promise<TickEvent> {
  const { result, usage } = reply;
  if (result.kind === "absent") {
    const message = `No answer: ${result.message}.`;
    return rejectPlan(session, state, { cause: result.cause, message, excerpt: null, usage });
  }
  const excerpt = answerExcerpt(result.data);
  const answer = readTaskAnswer(result.data, session.work.tasksMax);
  if (answer.kind === "invalid") {
    const { cause, message } = answer;
    return rejectPlan(session, state, { cause, message, excerpt, usage });
  }
  const { task, also } = answer;
  const refusal = await findFirstRefusal(session, [task, ...also]);
  if (refusal === null) return acceptPlan(session, state, { task, also, usage });
  const { code, cause, message } = refusal;
  if (code !== "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID") return { ...refusal, usage };
  return rejectPlan(session, state, {
    cause: cause ?? "answer_invalid",
    message: message ?? "",
    excerpt,
    usage,
  });
}

async function findFirstRefusal(session: RunningTick, tasks: readonly Task[]): Promise<Refused | null> {
  for (const task of tasks) {
    const refusal = findRefusal(session, task) ?? (await findMissingCheck(session, task));
    if (refusal !== null) return refusal;
  }
  return null;
}

/** Found before the builder is paid: the plan has just chosen the checks. */
async function findMissingCheck(
  { tick: { config }, where: { repository } }: RunningTick,
  task: Task,
): Promise<Refused | null> {
  const refusal = await refuseMissingCheck(config, repository, task, []);
  return refusal === null ? null : { type: "refused", ...refusal };
}

type Rejection = Omit<Extract<TickEvent, { type: "plan_rejected" }>, "type">;

/** As often as the configuration allows. */
function mayAskAgain({ tick: { config } }: RunningTick, { handedOver, orchestratorCalls }: OrchestrateState): boolean {
  const refused = handedOver.filter(({ role }) => role === "orchestrator").length;
  return orchestratorCalls - refused <= config.orchestrator.max_parse_retries_per_tick;
}

function rejectPlan(session: RunningTick, state: OrchestrateState, rejection: Rejection): TickEvent {
  if (mayAskAgain(session, state)) return { type: "plan_rejected", ...rejection };
  const { cause, message, excerpt, usage } = rejection;
  const shown = excerpt === null ? "" : `\nThe answer began: ${excerpt}`;
  return {
    type: "refused",
    code: "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID",
    cause,
    message: `${message}${shown}`,
    usage,
  };
}

interface AcceptedPlan {
  readonly task: Task;
  readonly also: readonly Task[];
  readonly usage: Finished["usage"];
}

async function acceptPlan(
  session: RunningTick,
  { orchestratorCalls }: OrchestrateState,
  { task, also, usage }: AcceptedPlan,
): Promise<TickEvent> {
  // The change of a task without a builder is judged next, by the rule that nothing may change.
  const isJudgedNext = task.builder === undefined && task.task_kind !== "verify_only";
  const wrote = isJudgedNext ? null : await findSideEffects(session, task);
  if (wrote !== null) return { ...wrote, usage };
  const path = join(session.where.runDirectory, "task.json");
  session.where.store.redo.write(path, `${JSON.stringify(task, null, 2)}\n`);
  const round = also.length === 0 ? {} : { also: [...also] };
  return {
    type: "planned",
    task,
    ...round,
    orchestrator_calls: orchestratorCalls,
    usage,
    ...describeOwnChecks(session, task),
  };
}

/**
 * The orchestrator's changes, judged by the rules of its task with nothing allowed, ignored files included; null where
 * it changed nothing.
 */
async function findSideEffects(session: RunningTick, task: Task): Promise<Refused | null> {
  const { change_required: _, ...asked } = readRules(session, task);
  const rules = { ...asked, allowed_globs: [], allow_new_files: false };
  const { evidence } = await session.where.change.collect(rules);
  const judgement = judge(evidence);
  const ignored = evidence.changes.filter(({ standing }) => standing === "ignored").map(({ path }) => path);
  const subjects = [...new Set([...judgement.findings.map(({ subject }) => subject), ...ignored])];
  if (subjects.length === 0) return null;
  const code = judgement.code === "SUCCESS" ? "STOP_IGNORED_MUTATION" : judgement.code;
  const rest = subjects.length - SHOWN_PATHS_MAX;
  const more = rest > 0 ? ` and ${rest} more` : "";
  const message = `The orchestrator may only read, but it changed ${subjects.slice(0, SHOWN_PATHS_MAX).join(", ")}${more}.`;
  return { type: "refused", code, cause: "orchestrator_wrote", message };
}
