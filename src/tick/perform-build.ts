/** Calls the builder once, and records how its session ended. Its change is measured, not asked for. */
import { join, relative } from "node:path";
import { SESSION_LOST, type SessionReply, type SessionScope } from "../agents/driver.ts";
import type { BuilderFailure, Rules } from "../records/evidence.ts";
import type { TickEvent } from "../records/event.ts";
import { CONTEXT_VARIABLE } from "../base/environment.ts";
import { MeasurementError, unreachable } from "../base/errors.ts";
import { compileForbidden } from "../base/globs.ts";
import { decodePath } from "../base/path-names.ts";
import { composeBuilderPrompt, frameSection } from "./pure/framed-section.ts";
import { WorkspaceFold } from "../journal/pure/workspace-state.ts";
import { shorten } from "../base/words.ts";
import type { StateIn } from "./pure/tick-state.ts";
import { type TurnLimit, findTurnLimit } from "./pure/turn-limit.ts";
import type { BuilderBrief } from "../workflows/pure/workflow.ts";
import { readClockMs } from "../system/clock.ts";
import { createDispatch } from "../system/drop-folder.ts";
import { readRules } from "./perform-judge.ts";
import { readSessionSchema } from "../workspace/session-files.ts";
import { comparePrompt } from "./compare-prompt.ts";
import { readInterruption, type ReadyBuilder, type RunningTick } from "./running-tick.ts";
import { type Proposals, type SalvageStart, startFromSalvage, takeProposals } from "./adopt-finished.ts";
import {
  describeFailure,
  describeTickTimeout,
  describeTime,
  handOver,
  isOutOfQuota,
  pickEarliestRetry,
} from "./own-record.ts";
import { Task } from "../records/task.ts";
import { readLeftFile, removeLeftFile } from "../system/left-file.ts";
import { openPublication } from "../workspace/publish.ts";
import { addProjectFiles, readProjectFiles } from "./project-files.ts";
import type { SessionKeeping } from "./kept-session.ts";
import { locateRunDirectory } from "../journal/run-directory.ts";
import { restoreOutputFile, runAgent, withDropFolder } from "./run-agent.ts";

/** More output is a loop. */
const OUTPUT_BYTES_MAX = 256 * 1024 * 1024;
const NOTE_CHARS = 400;
/** How much of an unreadable result is shown. */
const WORDS_BYTES = 2000;

/** The drop folder has a name that nobody can know before. */
export function announceBuild(
  { driver }: ReadyBuilder,
  { where: { sandbox }, work }: RunningTick,
  { task, handedOver }: Pick<StateIn<"announce_build">, "task" | "handedOver">,
): TickEvent {
  // A fallback agent finds the files that were laid out for the first one.
  const isFirst = handedOver.every(({ role }) => role !== "builder");
  const left = isFirst ? (work.continues?.(task) ?? null) : null;
  return {
    type: "build_started",
    driver: driver.name,
    // Without ours, a driver with a sandbox of its own is named as its sandbox.
    sandbox: sandbox === null ? nameSandbox(driver, work.brief) : "bubblewrap",
    dispatch: createDispatch(),
    ...pickSalvage(left?.salvage ?? (isFirst ? work.repair?.salvage : null)),
  };
}

const UNCOMMITTED_BYTES = 2000;

/** What the builder should leave alone: a change of it waits until the person has committed. */
function describeUncommitted({ pinned: { uncommitted } }: RunningTick): string {
  if (uncommitted.length === 0) return "";
  const paths = uncommitted.map((path) => decodePath(path).text).join("\n");
  return `

The person who asked for the work has not committed these files. Use them as they are, and change them only if the task
cannot be done otherwise:

${frameSection(paths, UNCOMMITTED_BYTES)}
`;
}

function pickSalvage(salvage: string | null | undefined): { readonly continues?: string } {
  return salvage === null || salvage === undefined ? {} : { continues: salvage };
}

function nameSandbox(
  { name, confines }: ReadyBuilder["driver"],
  { tools }: BuilderBrief,
): "none" | "codex" | "claude_code" {
  const isOwn = (name === "codex" || name === "claude_code") && confines?.(tools ?? null) === true;
  return isOwn ? name : "none";
}

export async function performBuild(
  session: RunningTick,
  builder: ReadyBuilder,
  state: StateIn<"build">,
): Promise<TickEvent> {
  const ended = await build(session, builder, state);
  if (ended.type !== "build_ended") return ended;
  const { builderPrompt: prompt } = session.left;
  const event = prompt === undefined ? ended : { ...ended, prompt };
  try {
    // Its words are published, and a workflow may commit them.
    return await session.where.change.hideSecrets(readRules(session, state.task), event);
  } catch (error) {
    // The store is damaged: the judge finds that too, and names the reason.
    if (error instanceof MeasurementError) return event;
    throw error;
  }
}

async function build(session: RunningTick, builder: ReadyBuilder, state: StateIn<"build">): Promise<TickEvent> {
  const remainingMs = session.tick.deadlineAt - readClockMs();
  const ownMs = builder.limits.timeoutMs ?? Number.POSITIVE_INFINITY;
  const turns = readTurnLimit(session, state, builder);
  const begun = await startFromSalvage(session, state);
  const call = { builder, timeoutMs: Math.min(ownMs, remainingMs), turns, begun };
  const { reply: answer, ...left } = await callBuilder(session, state, call);
  const reply = { ...answer, notes: [...begun.notes, ...(answer.notes ?? [])] };
  session.left.proposals = left.proposals;
  if (reply.undead.length > 0) return endBuild(reply, { code: "STOP_INTERRUPTED", cause: "processes_survived" });
  switch (reply.kind) {
    case "finished":
      return concludeFinished(session, reply, { builder, left });
    case "failed":
      return (
        (isOutOfQuota(reply) ? handOver(builder, "builder", reply) : null) ?? concludeFailed(reply, { turns, state })
      );
    case "timed-out":
      if (reply.limit === "time" && remainingMs <= ownMs) return describeTickTimeout(session, state);
      return endBuild(
        reply,
        { code: "STOP_BUILDER_TIMEOUT", cause: reply.limit === "idle" ? "idle_timeout" : "timeout" },
        `it ran out of time: ${describeTime(reply.limit, builder.limits)}`,
      );
    case "not-found":
      return {
        type: "refused",
        code: "BLOCKED_BUILDER_COMMAND_NOT_FOUND",
        cause: "not_found",
        message: reply.message,
      };
    case "aborted":
      return readInterruption(session.tick.signal);
    default:
      return unreachable(reply);
  }
}

interface BuilderReply extends Proposals {
  readonly reply: SessionReply;
}

interface BuilderCall {
  readonly builder: ReadyBuilder;
  readonly timeoutMs: number;
  readonly turns: TurnLimit | null;
  readonly begun: SalvageStart;
}

/** What is known besides the task: why a job was refused before, and what a person answered to the builder of such a task. */
export function readContext({ where: { repository }, record: { journal }, work }: RunningTick): string | null {
  const asked = work.task === null ? null : journal.fold(WorkspaceFold).question;
  const isTold = asked !== null && asked.again !== undefined && asked.answer !== null;
  const texts = [repository.environment[CONTEXT_VARIABLE] ?? "", isTold ? writeAnswer(asked) : ""];
  const context = texts.filter((text) => text !== "").join("\n\n");
  return context === "" ? null : context;
}

const ANSWER_BYTES = 16 * 1024;

function writeAnswer({ prompt, answer }: NonNullable<WorkspaceFold["question"]>): string {
  const section = frameSection(`Question: ${prompt}\nAnswer: ${answer}`, ANSWER_BYTES);
  return `A builder gave such a task back before. What it said, and what the person answered:\n\n${section}`;
}

function readTurnLimit({ work }: RunningTick, { task }: StateIn<"build">, { limits }: ReadyBuilder): TurnLimit | null {
  return findTurnLimit({
    configured: { max: limits.maxTurns, key: limits.keys.turns },
    usual: work.usualTurns ?? null,
    task,
    isOwnTask: work.task !== null && work.ceilingOfScope !== "enforced",
  });
}

async function callBuilder(
  session: RunningTick,
  { task, base, building, started }: StateIn<"build">,
  call: BuilderCall,
): Promise<BuilderReply> {
  const {
    where: { place, runDirectory },
  } = session;
  const { brief } = session.work;
  const rules = readRules(session, task);
  const { system: usual, user } = call.builder.texts;
  const system = addProjectFiles(usual, await readProjectFiles(session, base.base_commit));
  const context = readContext(session);
  const own = brief.prompt ?? composeBuilderPrompt(user, task, rules);
  const prompt = `${own}${context === null ? "" : `\n\n${context}\n`}${describeUncommitted(session)}${call.begun.prompt}`;
  session.left.builderPrompt = comparePrompt(session, [started.workflow, "builder"], `${system}\n\n${prompt}`);
  const hideTask = await showTask(session, task);
  const run = (keeping: SessionKeeping | null): Promise<BuilderReply> =>
    withDropFolder(session, building.dispatch, async (drop) => {
      for (const [name, text] of Object.entries(brief.files)) await drop.put(name, text);
      const reply = await runAgent(session, call.builder, {
        role: "builder",
        system,
        prompt,
        ...(keeping === null ? {} : { keeping }),
        ...(call.begun.resumedPrompt === null ? {} : { resumedPrompt: call.begun.resumedPrompt }),
        scope: makeScope(rules, { root: place.cwd, drop: drop.path }),
        ...(brief.tools === undefined ? {} : { tools: brief.tools }),
        maxTurns: call.turns?.max ?? null,
        schema: chooseSchema(brief, call.builder),
        documents: Object.keys(brief.proposals).filter((name) => name.endsWith(".json")),
        taskText: `${JSON.stringify(task, null, 2)}\n`,
        drop,
        timeoutMs: call.timeoutMs,
        outputBytesMax: OUTPUT_BYTES_MAX,
      });
      const wanted = reply.kind === "finished" ? Object.entries(brief.proposals) : [];
      return { reply, ...(await takeProposals(drop, wanted, runDirectory)) };
    });
  const keeping = planKeeping(session, building);
  const first = await run(keeping);
  // Its program did not find the earlier session, and asked no model.
  const called = isLost(first.reply) ? await run(keeping) : first;
  await hideTask();
  await restoreOutputFile(session, call.builder);
  return called;
}

const isLost = (reply: SessionReply): boolean => reply.kind === "failed" && reply.cause === SESSION_LOST;

/** For the builder of a sentence only, and not where a person wants nothing on the disk. */
function planKeeping(
  { work, where, tick: { config } }: RunningTick,
  { sandbox }: StateIn<"build">["building"],
): SessionKeeping | null {
  if (work.keepsSession !== true || config.claude_code_cli.no_session_persistence === true) return null;
  const { repair } = work;
  const repaired = repair === undefined ? null : locateRunDirectory(where.stateDirectory, repair.run_id);
  return { runDirectory: where.runDirectory, repaired, sandbox };
}

/** A project may replace the schema of the ordinary result, but not that of a workflow. */
function chooseSchema({ schema }: BuilderBrief, { texts }: ReadyBuilder): object {
  return schema === "builder_result" ? texts.schema : readSessionSchema(schema);
}

/** The drop folder is in a forbidden path, but the session may write there; it also may write what a person lifted. */
function makeScope(rules: Rules, { root, drop }: { readonly root: string; readonly drop: string }): SessionScope {
  const open = [relative(root, join(drop, "file")), ...(rules.lifted_paths ?? [])];
  const covers = (glob: string): boolean => open.some((path) => compileForbidden([glob])(path) !== null);
  return {
    allowed: rules.task_kind === "execute" ? rules.allowed_globs : [],
    forbidden: [...rules.forbidden_globs, ...rules.runner_owned_globs].filter((glob) => !covers(glob)),
  };
}

/** A finished session may still have left an unreadable result. */
function concludeFinished(
  session: RunningTick,
  reply: Extract<SessionReply, { kind: "finished" }>,
  { builder: { driver }, left }: { readonly builder: ReadyBuilder; readonly left: Proposals },
): TickEvent {
  const { brief } = session.work;
  const { result, usage } = reply;
  const read =
    result.kind === "left" ? brief.read({ result: result.data, ...left }) : ({ ...result, kind: "invalid" } as const);
  if (read.kind === "valid") {
    const data = read.data === null ? {} : { data: { ...read.data } };
    return { ...endBuild(reply, null, read.summary), builder_output_valid: true, usage, ...data };
  }
  if (read.kind === "given_back") {
    const given = endBuild(reply, { code: "STOP_QUESTION", cause: read.cause }, read.words);
    return { ...given, builder_output_valid: true, usage };
  }
  const { builder } = session.tick.config;
  const section = driver.name === "codex" ? builder.codex : builder.claude_code;
  const isStrict = brief.isStrict ?? section.strict_builder_json;
  const failure: BuilderFailure = { code: "STOP_BUILDER_OUTPUT_INVALID", cause: read.cause };
  const ended = isStrict ? endBuild(reply, failure, read.message) : endUnread(reply, read.message);
  return { ...ended, builder_output_valid: false, usage };
}

/** The work is judged all the same. Its own words say more than the JSON error; where there are none, relais notes it. */
function endUnread(reply: Extract<SessionReply, { kind: "finished" }>, message: string) {
  const { result, notes = [] } = reply;
  const words = result.kind === "left" ? new TextDecoder().decode(result.data.subarray(0, WORDS_BYTES)).trim() : "";
  return words === "" ? endBuild({ ...reply, notes: [...notes, message] }, null) : endBuild(reply, null, words);
}

/** The usage is counted in any case. */
function concludeFailed(
  reply: Extract<SessionReply, { kind: "failed" }>,
  { turns, state }: { readonly turns: TurnLimit | null; readonly state: StateIn<"build"> },
): TickEvent {
  const { code, cause, usage = null } = reply;
  const summary = describeFailure(reply, turns);
  return { ...endBuild(reply, { code, cause }, summary), usage, ...pickEarliestRetry(state, reply) };
}

function endBuild(reply: SessionReply, failure: BuilderFailure | null, summary: string | null = null) {
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

/**
 * Shows TASK.json in the workspace while the builder works, for programs that read it; answers with the function that
 * removes it again.
 *
 * T0 was observed before, so it is removed before anything is judged. A file that is not the one that was written here
 * stays: the judge must see that it changed.
 */
async function showTask(session: RunningTick, task: Task): Promise<() => Promise<void>> {
  const { tree: root } = session.where.place;
  const folder = session.tick.config.workspace_dir;
  const publication = await openPublication(root, join(root, folder));
  const text = await publication.document("TASK.json", Task, task);
  if (text === null) return async () => {};
  const path = `${folder}/TASK.json`;
  return async () => {
    const now = await readLeftFile({ root, path }, Buffer.byteLength(text));
    if (now.kind !== "read" || now.data.toString("utf8") !== text) return;
    await removeLeftFile({ root, path });
    await session.where.change.putBackFile(path);
  };
}
