import { createHash } from "node:crypto";
import { isAbsolute, resolve, basename } from "node:path";
import { type BoundedRead, readBounded } from "../system/bounded-file.ts";
import { readStandardInput } from "../system/standard-input.ts";
import { type Misuse, reportMisuse } from "../workspace/misuse.ts";
import type { Config } from "../config/config.ts";
import type { WorkspaceState } from "../records/state.ts";
import type { Environment } from "../base/environment.ts";
import { makeOwnTask, type TaskWishes, type TaskFile, readTaskFile, writeTask } from "./read-task.ts";
import { asksForOtherTests, readTaskWords } from "../judge/pure/asked-work.ts";
import { type CommandFailure, type NotReady, refuseNotReady } from "../records/command-failure.ts";
import type { StartNotice, DryRun, PlanDryRun } from "../records/dry-run.ts";
import { type ChosenAgent, type Choices, chooseGlobs, type ScopeChoices } from "../config/choices.ts";
import { InvariantError, unreachable } from "../base/errors.ts";
import { makeTickNotification } from "../journal/pure/make-notification.ts";
import { WorkspaceFold } from "../journal/pure/workspace-state.ts";
import { listTaskMistakes } from "./pure/task-admission.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";
import { makeRelay } from "../workflows/pure/relay.ts";
import { decideNextWork, type Work } from "../workflows/pure/workflow.ts";
import type { LockedWorkspace, CommandContext } from "../workspace/workspace.ts";
import { isAttempt, isPlannedElsewhere, isTypedByPerson } from "../workspace/own-environment.ts";
import { notify } from "../workspace/notify.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import { chooseConfig } from "./choose-config.ts";
import type { AttemptsPort, RunningTick } from "./running-tick.ts";
import { type OpenedSession, openSession } from "./open-session.ts";
import { type GivenRepair, type PlaceSalvage, placeRepaired, readRepair, type Repairing } from "./repaired-work.ts";
import { makeSentenceTask, readSentence, type Sentence, type SentenceSource } from "./read-sentence.ts";
import { makeStartNotice } from "./make-start-notice.ts";
import { type TickEnding, runWork } from "./run-work.ts";
import { emitOpened } from "./emit-recorded.ts";

/**
 * Reads the patch of `relais run --patch`.
 *
 * Git reports problems of the patch itself. Here are the problems of the file, with the
 * typed name and a remedy.
 */

export interface PatchSource {
  /** A path, relative to `cwd`; `-` is the standard input. */
  readonly file: string;
  readonly scope: ScopeChoices;
  /** Null takes what the configuration says. */
  readonly isNewFilesAllowed: boolean | null;
  /** Ids of templates; null takes every one that needs no parameters. */
  readonly checks: readonly string[] | null;
  /** Null takes the limit of the configuration, which a patch can only lower. */
  readonly maxLines: number | null;
  readonly intent: string | null;
}

export interface PatchText {
  readonly kind: "patch";
  readonly patch: string;
  readonly source: PatchSource;
}

type RefusedRead = Extract<BoundedRead, { kind: "refused" }>;

/** The limit of a task. A character has at most four bytes. */
const PATCH_CHARS_MAX = 500_000;
const PATCH_BYTES_MAX = 4 * PATCH_CHARS_MAX;

const SPLIT = "Split the patch, or apply it with `git apply` and check it with `relais judge`.";
const MAKE = "Make one with `git diff`: `git diff main topic | relais run --patch -`.";
const AS_TEXT = "Make it again with `git diff --binary`.";
const BY_PIPE = "Name the file itself, or pipe it: `relais run --patch - < FILE`.";
const REMEDIES: Readonly<Record<RefusedRead["why"], string>> = {
  link: BY_PIPE,
  folder: "Name a file in that folder.",
  special: BY_PIPE,
  unreadable: "Make it readable: `chmod u+r FILE`, or ask its owner.",
  too_large: SPLIT,
};

export async function readPatch(source: PatchSource, cwd: string): Promise<PatchText | Misuse> {
  const { file } = source;
  const isPiped = file === "-";
  const name = isPiped ? "The standard input" : `The patch file ${file}`;
  const read = isPiped
    ? await readStandardInput(PATCH_BYTES_MAX)
    : await readBounded(isAbsolute(file) ? file : resolve(cwd, file), PATCH_BYTES_MAX);
  if (read.kind === "read") return readText(read.data, name, source);
  if (read.kind === "missing")
    return refusePatch(`${name} does not exist.`, `Check the name; relative names start at ${cwd}.`);
  if (read.why === "too_large") return refuseTooLong(name);
  return refusePatch(`${name} cannot be used: ${read.reason}.`, isPiped ? MAKE : REMEDIES[read.why]);
}

function readText(data: Buffer, name: string, source: PatchSource): PatchText | Misuse {
  const patch = decodeText(data);
  if (patch === null) return refusePatch(`${name} is not UTF-8 text.`, AS_TEXT);
  if (patch.trim() === "") return refusePatch(`${name} is empty.`, MAKE);
  return patch.length > PATCH_CHARS_MAX ? refuseTooLong(name) : { kind: "patch", patch, source };
}

function refuseTooLong(name: string): Misuse {
  return refusePatch(`${name} is too long: a patch has ${PATCH_CHARS_MAX} characters at most.`, SPLIT);
}

function decodeText(data: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return null;
  }
}

function refusePatch(message: string, remedy: string): Misuse {
  return { ...reportMisuse(message), remedy };
}

interface PatchPlace {
  readonly config: Config;
  readonly state: Pick<WorkspaceState, "milestone_id">;
  readonly wishes: TaskWishes;
}

/** `relais run --patch`: makes a task from a diff. */
export function makePatchTask({ patch, source }: PatchText, { config, state, wishes }: PatchPlace): TaskFile {
  const parts = {
    task_id: `patch-${createHash("sha256").update(patch).digest("hex").slice(0, 12)}`,
    milestone_id: state.milestone_id ?? "patches",
    intent: source.intent ?? `Apply ${source.file === "-" ? "a patch" : basename(source.file)}.`,
    builder: { mode: "patch", patch },
  };
  const allow = chooseGlobs(config.scope.default_allowed_globs, source.scope);
  return makeOwnTask(parts, { ...source, allow, config, wishes });
}

/**
 * `relais run`: one tick, with a sentence, a task file, a patch, or a task of the orchestrator.
 *
 * Cheap checks come first: the task, the workspace, the lock, the journal,
 * the builder. Nothing is written before the lock is held.
 */

export type TaskSource =
  | { readonly kind: "task"; readonly file: string }
  | { readonly kind: "patch"; readonly patch: PatchSource }
  | { readonly kind: "sentence"; readonly sentence: SentenceSource }
  /** A further try at the task of a tick; letters of its id, null is the last one. The words are for the agent. */
  | Repairing
  /** The orchestrator plans. */
  | { readonly kind: "plan" };

export interface RunTaskRequest extends CommandContext {
  readonly source: TaskSource;
  readonly choices: Choices;
  /** What a person says of the tests and checks of a sentence or a patch. */
  readonly wishes: TaskWishes;
  /** What a person typed; absent where it cannot be typed again. */
  readonly commandLine?: readonly string[];
  /** What the person has not committed is part of the base. */
  readonly isDirty?: boolean;
  /** Only check whether the tick could start. */
  readonly isDryRun: boolean;
  /** Several sessions work side by side, and the best work is kept; null or absent is one. */
  readonly attempts?: AttemptsPort | null;
  /** Puts saved work on top of what is checked out now, or says why it cannot; absent is only for what saves none. */
  readonly placeSalvage?: PlaceSalvage;
  /** Called before the tick of a sentence starts. */
  readonly announce: (notice: StartNotice) => void;
}

interface FinishedTick extends TickEnding {
  /** How often a sentence may be tried again; absent is never. */
  readonly repairsMax?: number;
  /** Called once the locks are released; answers with a warning if it fails. */
  readonly notify: () => Promise<string | null>;
}

type Answer = FinishedTick | DryRun | PlanDryRun | Misuse;
export type TickAnswer = Answer | CommandFailure;

type GivenTask = Extract<TaskFile, { kind: "task" }> | PatchText | Sentence | GivenRepair | null;

export async function runTask(request: RunTaskRequest): Promise<TickAnswer> {
  const given = await readGiven(request);
  if (isFailure(given)) return given;
  const complete = await chooseConfig({
    ...request,
    chosen: {
      choices: request.choices,
      foundText: null,
      ...(given?.kind === "sentence" || given?.kind === "repair" ? { fillsGaps: true } : {}),
    },
    ...findAgentNeed(given),
  });
  if (complete.kind !== "complete") return complete;
  const { chosen } = complete;
  return withWorkspace({ ...request, chosen }, "tick", async (workspace) => {
    const placed = given?.kind === "repair" ? await placeRepaired(given, { ...request, workspace }) : given;
    return isFailure(placed) ? placed : runGiven(request, placed, workspace);
  });
}

async function readGiven(request: RunTaskRequest): Promise<GivenTask | Misuse | CommandFailure> {
  const { source, cwd } = request;
  switch (source.kind) {
    case "repair":
      return withSnapshot(request, ({ lines }) => readRepair(lines, source, request.choices));
    case "plan":
      return null;
    case "task":
      return readTaskFile(source.file, cwd);
    case "patch":
      return readPatch(source.patch, cwd);
    case "sentence":
      return readSentence(source.sentence, cwd);
    default:
      return unreachable(source);
  }
}

function isFailure(given: GivenTask | Misuse | CommandFailure): given is Misuse | CommandFailure {
  return given !== null && ["misused", "blocked", "refused"].includes(given.kind);
}

/** A task may name its agent; a patch and a task without a builder call none. */
function findAgentNeed(given: GivenTask): { readonly needsAgent: boolean; readonly taskAgent?: ChosenAgent } {
  if (given === null || given.kind === "sentence") return { needsAgent: true };
  const mode = given.kind !== "patch" && "builder" in given.task ? given.task.builder?.mode : undefined;
  return mode === "claude_code" || mode === "codex" ? { needsAgent: true, taskAgent: mode } : { needsAgent: false };
}

async function runGiven(request: RunTaskRequest, given: GivenTask, workspace: LockedWorkspace): Promise<TickAnswer> {
  const { config, repository, journal, runId } = workspace;
  const typed = readTyped(given, repository.environment);
  const read = makeTask({ ...request, typed }, given, workspace);
  if (read?.kind === "misused") return read;
  const workflow = makeRelay(read?.task ?? null, config, {
    choices: request.choices,
    ...describeOrigin(given, repository.environment),
  });
  const next = decideNextWork(workflow, { lines: journal.recent(), seriesId: runId });
  if (next.kind !== "work") throw new InvariantError("a series ended before it began");
  const work = {
    ...planAttempts(next.work, request, workspace),
    ...describeGiven(given, request),
    ...decideHere(config, request, given),
    typed,
    asksForTests: isSentence(given) && asksForOtherTests(typed),
  };
  const opened = await openTick(request, workspace, work);
  if (opened.kind === "blocked") return opened;
  if (request.isDryRun) return (await import("./plan-dry-run.ts")).planDryRun(opened.session);
  await announceStart(request, given, opened.session);
  emitOpened(request.emit, { seriesId: runId, lines: journal.recent() });
  const ended = await runWork(opened.session, { ...request, workflow: workflow.name, work });
  const notification = makeTickNotification(ended.report, repository.root);
  return { ...ended, repairsMax: config.repairs, notify: () => notify({ ...request, config }, notification) };
}

function describeOrigin(given: GivenTask, environment: Environment) {
  const isOfPerson = isTypedByPerson(environment) && (given?.kind !== "repair" || given.leavesOut);
  return { isOfPerson, ...(isPlannedElsewhere(environment) ? { isPlanned: true } : {}) };
}

/** An attempt is not repaired. */
function describeGiven(
  given: GivenTask,
  { attempts = null, environment }: RunTaskRequest,
): Pick<Work, "isOwnPatch" | "repair" | "keepsSession"> {
  const isTriedAgain = attempts === null && !isAttempt(environment);
  const keeping = isTriedAgain ? { keepsSession: true as const } : {};
  if (given?.kind === "repair") return { repair: given.repair, ...keeping };
  return { isOwnPatch: given?.kind === "patch", ...(given?.kind === "sentence" ? keeping : {}) };
}

/** Who is asked about a single tick decides to commit it. */
function decideHere(
  { settle }: LockedWorkspace["config"],
  { isDirty = false }: RunTaskRequest,
  given: GivenTask,
): Partial<Work> {
  const takesUncommitted = isDirty || (given?.kind === "repair" && given.isDirty);
  return {
    ...(settle === "ask" ? { commitsHere: true } : {}),
    ...(takesUncommitted ? { takesUncommitted } : {}),
  };
}

/** A task from a file never asks for other tests, because nobody knows who wrote it. */
const isSentence = (given: GivenTask): boolean => given?.kind === "sentence" || given?.kind === "repair";

/** A patch names nothing. What an attempt lifts is judged again by the relais that has the sentence itself. */
function readTyped(given: GivenTask, environment: Environment): string {
  const isOther = isPlannedElsewhere(environment) || !isTypedByPerson(environment);
  if (given === null || given.kind === "patch" || isOther) return "";
  if (given.kind === "task") return readTaskWords(given.task);
  if (given.kind === "repair") return given.typed;
  return given.isTyped || isAttempt(environment) ? given.text : "";
}

async function openTick(request: RunTaskRequest, workspace: LockedWorkspace, work: Work): Promise<OpenedSession> {
  const opened = await openSession({ ...request, workspace, seriesId: workspace.runId, work });
  if (opened.kind === "blocked" || opened.session.work.attempts === null) return opened;
  return opened.session.where.place.isolation === "in_place" ? refuseInPlace() : opened;
}

/** Each attempt has the time of a tick, and the best one is checked again. Its reviewers have voted already. */
function planAttempts(work: Work, { attempts = null }: RunTaskRequest, { config }: LockedWorkspace): Work {
  if (attempts === null) return work;
  return { ...work, review: null, maxSeconds: 2 * (work.maxSeconds ?? config.runner.max_tick_seconds) };
}

function refuseInPlace(): NotReady {
  return refuseNotReady(
    "attempts_in_place",
    "Several attempts need places of their own, and ticks work in place here (`isolation`).",
    "Leave out --attempts, or see `relais doctor` about an overlay or a clone.",
  );
}

/** For a task file only where it lifts something. */
async function announceStart({ announce }: RunTaskRequest, given: GivenTask, session: RunningTick): Promise<void> {
  if (given?.kind !== "sentence" && given?.kind !== "task") return;
  const notice = await makeStartNotice(session);
  if (notice !== null && (given.kind === "sentence" || notice.liftedPaths.length > 0)) announce(notice);
}

function makeTask(
  { choices, wishes, typed }: RunTaskRequest & { readonly typed: string },
  given: GivenTask,
  { config, configText, journal }: LockedWorkspace,
): TaskFile | null {
  if (given === null) return null;
  const state = journal.fold(WorkspaceFold).state(config.budgets);
  if (given.kind === "repair") return { kind: "task", task: given.task, taskText: writeTask(given.task) };
  const task = given.kind === "task" ? given : makeOwn(given, { config, configText, state, choices, wishes, typed });
  const problems = task.kind === "task" ? listTaskMistakes(task.task, config) : [];
  if (problems.length === 0) return task;
  return reportMisuse("The task cannot be worked on with this configuration.", problems);
}

function makeOwn(given: PatchText | Sentence, place: Parameters<typeof makeSentenceTask>[1]): TaskFile {
  return given.kind === "patch" ? makePatchTask(given, place) : makeSentenceTask(given, place);
}
