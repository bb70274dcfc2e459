/** Calls the builder once, and records how its session ended. What it changed is not asked of it. */
import type { SessionReply } from "../agents/driver.ts";
import type { BuilderFailure } from "../contract/evidence.ts";
import type { TickEvent } from "../contract/event.ts";
import { InvariantError, unreachable } from "../contract/invariant.ts";
import { builderPrompt } from "../core/prompt/builder-prompt.ts";
import { readBuilderResult } from "../core/read-builder-result.ts";
import type { TickState } from "../core/tick/tick-state.ts";
import { currentTimeMs } from "../io/clock.ts";
import { newDispatch, openDropFolder } from "../io/drop-folder.ts";
import { rulesOf } from "./perform-judge.ts";
import { shippedSchema } from "./shipped-schema.ts";
import { interruptionOf, TICK_TIMEOUT } from "./tick-interruption.ts";
import type { ReadyBuilder, TickSession } from "./tick-session.ts";

/** More than this on its output is no builder at work but a loop. */
const OUTPUT_BYTES_MAX = 256 * 1024 * 1024;

/** Announces the session, with the name of a drop folder that nobody can have known before. */
export function announceBuild(session: TickSession): TickEvent {
  const { driver } = builderOf(session);
  return { type: "build_started", driver: driver.name, sandbox: "none", dispatch: newDispatch() };
}

export async function performBuild(session: TickSession, state: TickState): Promise<TickEvent> {
  const builder = builderOf(session);
  const remainingMs = session.deadlineAt - currentTimeMs();
  const ownMs = builder.limits.timeoutMs ?? Number.POSITIVE_INFINITY;
  const reply = await callBuilder(session, state, { builder, timeoutMs: Math.min(ownMs, remainingMs) });
  if (reply.undead.length > 0) return ended(reply, failed("STOP_INTERRUPTED", "processes_survived"));
  switch (reply.kind) {
    case "finished":
      return finished(session, reply);
    case "failed":
      return ended(reply, failed(reply.code, reply.cause), reply.message);
    case "timed-out":
      if (reply.limit === "time" && remainingMs <= ownMs) return TICK_TIMEOUT;
      return ended(
        reply,
        failed("STOP_BUILDER_TIMEOUT", reply.limit === "idle" ? "idle_timeout" : "timeout"),
      );
    case "not-found":
      return {
        type: "refused",
        code: "BLOCKED_BUILDER_COMMAND_NOT_FOUND",
        cause: "not_found",
        message: reply.message,
      };
    case "aborted":
      return interruptionOf(session.signal);
    default:
      return unreachable(reply);
  }
}

function builderOf({ work }: TickSession): ReadyBuilder {
  if (work === null || work.builder === null) throw new InvariantError("a tick without a builder is built");
  return work.builder;
}

interface Call {
  readonly builder: ReadyBuilder;
  readonly timeoutMs: number;
}

async function callBuilder(session: TickSession, state: TickState, call: Call): Promise<SessionReply> {
  const { repository, config, runId, runDirectory, signal } = session;
  const { task } = state;
  if (task === null) throw new InvariantError("a tick without a task is built");
  const dispatch = state.building?.dispatch ?? "";
  const drop = await openDropFolder({ root: repository.root, workspaceDir: config.workspace_dir, dispatch });
  try {
    return await call.builder.driver.run({
      role: "builder",
      system: call.builder.texts.system,
      prompt: builderPrompt(call.builder.texts.user, task, rulesOf(session, task)),
      model: call.builder.model,
      schema: shippedSchema("builder_result"),
      taskText: `${JSON.stringify(task, null, 2)}\n`,
      cwd: repository.root,
      drop,
      runId,
      runDirectory,
      timeoutMs: call.timeoutMs,
      idleTimeoutMs: call.builder.limits.idleTimeoutMs,
      outputBytesMax: OUTPUT_BYTES_MAX,
      environmentNames: config.env.agents,
      signal,
    });
  } finally {
    await drop.remove();
  }
}

/** A session that ended well may still have left words that nobody can read. */
function finished(session: TickSession, reply: Extract<SessionReply, { kind: "finished" }>): TickEvent {
  const { result, usage } = reply;
  const read =
    result.kind === "left" ? readBuilderResult(result.data) : ({ ...result, kind: "invalid" } as const);
  if (read.kind === "valid") {
    const summary = read.result.summary.slice(0, 4000);
    return { ...ended(reply, null, summary), builder_output_valid: true, usage };
  }
  const isStrict = session.config.builder.claude_code.strict_builder_json;
  const failure = isStrict ? failed("STOP_BUILDER_OUTPUT_INVALID", read.cause) : null;
  return { ...ended(reply, failure, read.message), builder_output_valid: false, usage };
}

function failed(code: BuilderFailure["code"], cause: string): BuilderFailure {
  return { code, cause };
}

function ended(reply: SessionReply, failure: BuilderFailure | null, summary: string | null = null) {
  return {
    type: "build_ended",
    failure,
    builder_output_valid: null,
    summary: summary === null ? null : summary.slice(0, 4000),
    duration_ms: Math.round(reply.durationMs),
    usage: null,
  } as const;
}
