/** Calls the builder once, and records how its session ended. What it changed is not asked of it. */
import { join, relative } from "node:path";
import type { SessionReply, SessionScope } from "../../agents/session/driver.ts";
import type { BuilderFailure, Rules } from "../../contract/evidence/evidence.ts";
import type { TickEvent } from "../../contract/journal/event.ts";
import { unreachable } from "../../contract/values/invariant.ts";
import { compileForbidden } from "../../core/paths/globs.ts";
import { builderPrompt } from "../../core/prompt/builder-prompt.ts";
import { shorten } from "../../core/words/shorten.ts";
import type { StateIn } from "../../core/tick/tick-state.ts";
import type { BuilderBrief, BuilderWords } from "../../core/workflow/builder-brief.ts";
import { writeAtomic } from "../../io/files/atomic-file.ts";
import { currentTimeMs } from "../../io/machine/clock.ts";
import { type DropFolder, newDispatch, openDropFolder } from "../../io/files/drop-folder.ts";
import { rulesOf } from "./perform-judge.ts";
import { shippedSchema } from "../shipped/shipped-schema.ts";
import { interruptionOf, TICK_TIMEOUT } from "../session/tick-interruption.ts";
import { retryTime } from "./retry-time.ts";
import { putBackOutputFile } from "./put-back-output-file.ts";
import { tellAgent } from "./tell-agent.ts";
import type { ReadyBuilder, RunningSession } from "../session/tick-session.ts";

/** More than this on its output is no builder at work but a loop. */
const OUTPUT_BYTES_MAX = 256 * 1024 * 1024;
const NOTE_CHARS = 400;
/** How much of words that nobody asked for in this form is worth showing. */
const WORDS_BYTES = 2000;

/** Announces the session, with the name of a drop folder that nobody can have known before. */
export function announceBuild({ driver }: ReadyBuilder): TickEvent {
  return { type: "build_started", driver: driver.name, sandbox: "none", dispatch: newDispatch() };
}

export async function performBuild(
  session: RunningSession,
  builder: ReadyBuilder,
  state: StateIn<"build">,
): Promise<TickEvent> {
  const remainingMs = session.deadlineAt - currentTimeMs();
  const ownMs = builder.limits.timeoutMs ?? Number.POSITIVE_INFINITY;
  const call = { builder, timeoutMs: Math.min(ownMs, remainingMs) };
  const { reply, ...left } = await callBuilder(session, state, call);
  session.memory.proposals = left.proposals;
  if (reply.undead.length > 0) return ended(reply, failed("STOP_INTERRUPTED", "processes_survived"));
  switch (reply.kind) {
    case "finished":
      return finished(session, reply, { builder, left });
    case "failed":
      return stopped(reply);
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

type Proposals = Pick<Required<BuilderWords>, "proposals" | "refused">;

interface Called extends Proposals {
  readonly reply: SessionReply;
}

interface Call {
  readonly builder: ReadyBuilder;
  readonly timeoutMs: number;
}

async function callBuilder(
  session: RunningSession,
  { task, building }: StateIn<"build">,
  call: Call,
): Promise<Called> {
  const { repository, config, runId, runDirectory, signal } = session;
  const { brief } = session.work;
  const { dispatch } = building;
  const { driver } = call.builder;
  const rules = rulesOf(session, task);
  const drop = await openDropFolder({ root: repository.root, workspaceDir: config.workspace_dir, dispatch });
  let called: Called;
  try {
    for (const [name, text] of Object.entries(brief.files)) await drop.put(name, text);
    const reply = await driver.run({
      role: "builder",
      system: call.builder.texts.system,
      prompt: brief.prompt ?? builderPrompt(call.builder.texts.user, task, rules),
      scope: scopeOf(rules, { root: repository.root, drop: drop.path }),
      ...(brief.tools === undefined ? {} : { tools: brief.tools }),
      ...(task.builder?.max_turns === undefined ? {} : { maxTurns: task.builder.max_turns }),
      model: call.builder.model,
      schema: schemaOf(brief, call.builder),
      documents: Object.keys(brief.proposals).filter((name) => name.endsWith(".json")),
      taskText: `${JSON.stringify(task, null, 2)}\n`,
      cwd: repository.root,
      environment: repository.environment,
      drop,
      runId,
      runDirectory,
      timeoutMs: call.timeoutMs,
      idleTimeoutMs: call.builder.limits.idleTimeoutMs,
      outputBytesMax: OUTPUT_BYTES_MAX,
      environmentNames: config.env.agents,
      signal,
      onEvent: (event) => tellAgent(session, "builder", event),
    });
    const wanted = reply.kind === "finished" ? Object.entries(brief.proposals) : [];
    called = { reply, ...(await takeProposals(drop, wanted, runDirectory)) };
  } finally {
    await drop.remove();
  }
  await putBackOutputFile(session, driver);
  return called;
}

/** A project may have an own schema for the ordinary result; what a workflow asks for is its own matter. */
function schemaOf({ schema }: BuilderBrief, { texts }: ReadyBuilder): object {
  return schema === "builder_result" ? texts.schema : shippedSchema(schema);
}

/** Where the session may write. The drop folder lies in what is forbidden otherwise and is its own all the same. */
function scopeOf(
  rules: Rules,
  { root, drop }: { readonly root: string; readonly drop: string },
): SessionScope {
  const own = relative(root, join(drop, "file"));
  return {
    allowed: rules.task_kind === "execute" ? rules.allowed_globs : [],
    forbidden: [...rules.forbidden_globs, ...rules.runner_owned_globs].filter(
      (glob) => compileForbidden([glob])(own) === null,
    ),
  };
}

/** Takes what the session left for the workflow, before the folder is gone. A copy stays with the tick. */
async function takeProposals(
  drop: DropFolder,
  wanted: readonly (readonly [name: string, bytesMax: number])[],
  runDirectory: string,
): Promise<Proposals> {
  const proposals = new Map<string, Uint8Array>();
  const refused = new Map<string, string>();
  for (const [name, bytesMax] of wanted) {
    const left = await drop.read(name, bytesMax);
    if (left.kind === "refused") refused.set(name, REFUSED[left.reason](bytesMax));
    if (left.kind !== "read") continue;
    await writeAtomic(join(runDirectory, `proposal-${name}`), left.data, { mode: 0o600 });
    proposals.set(name, left.data);
  }
  return { proposals, refused };
}

const REFUSED = {
  link: () => "it is a link, and not a file",
  folder: () => "it is a folder, and not a file",
  special: () => "it is no ordinary file",
  too_large: (bytesMax: number) => `it has more than ${bytesMax} bytes`,
  unreadable: () => "it cannot be read",
} as const;

/** A session that ended well may still have left words that nobody can read. */
function finished(
  session: RunningSession,
  reply: Extract<SessionReply, { kind: "finished" }>,
  { builder: { driver }, left }: { readonly builder: ReadyBuilder; readonly left: Proposals },
): TickEvent {
  const { brief } = session.work;
  const { result, usage } = reply;
  const read =
    result.kind === "left"
      ? brief.read({ result: result.data, ...left })
      : ({ ...result, kind: "invalid" } as const);
  if (read.kind === "valid") {
    const data = read.data === null ? {} : { data: { ...read.data } };
    return { ...ended(reply, null, read.summary), builder_output_valid: true, usage, ...data };
  }
  const { builder } = session.config;
  const section = driver.name === "codex" ? builder.codex : builder.claude_code;
  const isStrict = brief.isStrict ?? section.strict_builder_json;
  const failure = isStrict ? failed("STOP_BUILDER_OUTPUT_INVALID", read.cause) : null;
  // Where its work is judged all the same, its own words say more than why they are no JSON.
  const words = failure === null && result.kind === "left" ? wordsIn(result.data) : "";
  return { ...ended(reply, failure, words || read.message), builder_output_valid: false, usage };
}

function wordsIn(data: Uint8Array): string {
  return new TextDecoder().decode(data.subarray(0, WORDS_BYTES)).trim();
}

function failed(code: BuilderFailure["code"], cause: string): BuilderFailure {
  return { code, cause };
}

/** What was used up is counted, whatever became of it. */
function stopped(reply: Extract<SessionReply, { kind: "failed" }>): TickEvent {
  const { code, cause, message, usage = null } = reply;
  return { ...ended(reply, failed(code, cause), message), usage, ...retryTime(reply) };
}

function ended(reply: SessionReply, failure: BuilderFailure | null, summary: string | null = null) {
  const notes = (reply.notes ?? []).map((note) => shorten(note, NOTE_CHARS));
  return {
    type: "build_ended",
    failure,
    builder_output_valid: null,
    summary,
    duration_ms: Math.round(reply.durationMs),
    usage: null,
    ...(notes.length === 0 ? {} : { notes }),
  } as const;
}
