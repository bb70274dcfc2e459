/**
 * A session of a program that takes files and leaves a file.
 *
 * The program finds its prompt, its task and the schema of its result in the drop folder and leaves the result there.
 * Roles other than the builder may also answer on standard output. With a configured output file, that file is removed
 * before the program starts and again before anything is observed. The caller restores a person's own file.
 */
import { join } from "node:path";
import { makeChildEnvironment } from "../system/child-environment.ts";
import {
  type LeftFile,
  listMissingFolders,
  type LeftPlace,
  readLeftFile,
  removeEmptyFolders,
  removeLeftFile,
} from "../system/left-file.ts";
import { parseJson } from "../system/parse-json.ts";
import type { SessionEnd } from "../process/supervise.ts";
import {
  type AbsentCause,
  readMoment,
  type SessionEnding,
  type SessionReply,
  type SessionRequest,
  type SessionResult,
} from "./driver.ts";
import {
  failSession,
  findSessionCut,
  makeSessionVariables,
  superviseSession,
  withLastLine,
} from "./supervise-session.ts";

const RESULT_NAME = "RESULT.json";
const RESULT_BYTES_MAX = 1024 * 1024;
/** As much of a line as the live view can show. */
const LINE_CHARS_MAX = 400;

/** Values for a session, by the names that its arguments may use. */
export interface SessionPlaces {
  readonly task_path: string;
  readonly result_path: string;
  readonly schema_path: string;
  readonly run_id: string;
  readonly drop: string;
  readonly prompt_path: string;
  readonly role: string;
  /** Empty where the configuration names none. */
  readonly model: string;
  /** The tools that the session is limited to, separated by commas; empty where nobody limits them. */
  readonly tools: string;
}

export interface DroppedProgram {
  readonly program: string;
  readonly args: (places: SessionPlaces) => readonly string[];
  readonly input: string | null;
  /** Relative to the folder of the session. */
  readonly outputFile: string | null;
}

export async function runDropped(request: SessionRequest, dropped: DroppedProgram): Promise<SessionReply> {
  const output = dropped.outputFile === null ? null : { root: request.tree, path: dropped.outputFile };
  const places = await prepare(request);
  const made = output === null ? [] : await listMissingFolders(output);
  if (output !== null) await removeLeftFile(output);
  try {
    const end = await start(request, { dropped, places });
    return await readReply(end, { request, output, program: dropped.program });
  } finally {
    if (output !== null) {
      await removeLeftFile(output);
      await removeEmptyFolders(output.root, made);
    }
  }
}

/** One text for programs without a separate system prompt: first the role, then the prompt. */
export function composeWholePrompt({ system, prompt }: SessionRequest): string | null {
  return prompt === null || system === undefined ? prompt : `${system}\n\n${prompt}`;
}

async function prepare(request: SessionRequest): Promise<SessionPlaces> {
  const { drop, taskText, schema, runId, role, model } = request;
  const taskPath = join(drop.path, "TASK.json");
  return {
    task_path: taskText === null ? taskPath : await drop.put("TASK.json", taskText),
    prompt_path: await drop.put("PROMPT.txt", composeWholePrompt(request) ?? ""),
    schema_path: await drop.put("SCHEMA.json", `${JSON.stringify(schema ?? {}, null, 2)}\n`),
    result_path: join(drop.path, RESULT_NAME),
    run_id: runId,
    drop: drop.path,
    role,
    model: model ?? "",
    tools: (request.tools ?? []).join(","),
  };
}

function start(
  request: SessionRequest,
  { dropped, places }: { readonly dropped: DroppedProgram; readonly places: SessionPlaces },
): Promise<SessionEnd> {
  const set = {
    ...(request.taskText === null ? {} : { RELAIS_TASK_PATH: places.task_path }),
    ...(request.model === undefined ? {} : { RELAIS_MODEL: request.model }),
    ...(request.tools === undefined ? {} : { RELAIS_TOOLS: places.tools }),
    ...(typeof request.maxTurns === "number" ? { RELAIS_MAX_TURNS: String(request.maxTurns) } : {}),
    RELAIS_PROMPT_PATH: places.prompt_path,
    RELAIS_RESULT_PATH: places.result_path,
    RELAIS_SCHEMA_PATH: places.schema_path,
    ...makeSessionVariables(request),
  };
  return superviseSession(request, {
    program: dropped.program,
    args: dropped.args(places),
    env: makeChildEnvironment(request.environment, request.environmentNames, set),
    input: dropped.input,
    stdoutBytesMax: mayAnswerAloud(request) ? RESULT_BYTES_MAX : 0,
    onLine: (shown) => {
      const text = shown.slice(0, LINE_CHARS_MAX);
      if (text.trim() !== "") request.onEvent?.({ type: "output", text });
    },
    isAwaited: () => isHalfWritten(request),
  });
}

/**
 * Whether an answer, or a document with it, is half-written. One without a beginning is not waited for: the processes
 * that are left may do anything.
 */
async function isHalfWritten({ drop, documents = [] }: SessionRequest): Promise<boolean> {
  const left = await drop.read(RESULT_NAME, RESULT_BYTES_MAX);
  if (left.kind !== "read") return false;
  const others = await Promise.all(documents.map((name) => drop.read(name, RESULT_BYTES_MAX)));
  return [left, ...others].some((file) => file.kind === "read" && parseJson(file.data.toString("utf8")) === undefined);
}

/** A builder's output is its transcript; the other roles print nothing but their answer. */
function mayAnswerAloud({ role }: SessionRequest): boolean {
  return role !== "builder";
}

interface DroppedSession {
  readonly request: SessionRequest;
  readonly output: LeftPlace | null;
  readonly program: string;
}

async function readReply(end: SessionEnd, session: DroppedSession): Promise<SessionReply> {
  const { durationMs, survivors, undead } = end;
  const { program, request } = session;
  const cut = findSessionCut(end, program, request.outputBytesMax);
  const ending = cut ?? (await readExit(end, session));
  return { ...ending, durationMs, survivors, undead };
}

async function readExit(end: SessionEnd, session: DroppedSession): Promise<SessionEnding> {
  const status = end.kind === "exited" ? end.status : 0;
  if (status === 0) return { kind: "finished", result: await takeResult(session, end), usage: null };
  if (status === LIMITED_STATUS) return endLimited(end.stderr);
  return failSession(`exit_${status}`, withLastLine(`it ended with exit ${status}`, end.stderr));
}

/** The status by which a program says that its service refused it for now: "try again later" in sysexits. */
const LIMITED_STATUS = 75;
const RETRY_AT = /^retry-at:\s*(?<moment>\S{1,40})\s*$/im;

/** How a session ended whose service refused it; a line `retry-at: <moment>` on standard error says until when. */
function endLimited(stderr: Buffer): SessionEnding {
  const until = readMoment(Date.parse(RETRY_AT.exec(stderr.toString("utf8"))?.groups?.["moment"] ?? ""));
  const message = "its service refused the call because of a limit";
  const ending = { kind: "failed", code: "STOP_RATE_LIMITED", cause: "rate_limited", message } as const;
  return until === null ? ending : { ...ending, until };
}

/** The named path comes first; the configured output file counts only where nothing is there. */
async function takeResult({ request, output }: DroppedSession, end: SessionEnd): Promise<SessionResult> {
  const told = await request.drop.read(RESULT_NAME, RESULT_BYTES_MAX);
  const left = told.kind === "missing" && output !== null ? await readLeftFile(output, RESULT_BYTES_MAX) : told;
  if (left.kind === "read") return { kind: "left", data: left.data };
  if (left.kind === "refused") return { kind: "absent", ...REFUSALS[left.reason] };
  const spoken = mayAnswerAloud(request) ? readSpokenResult(end) : null;
  if (spoken !== null) return spoken;
  return {
    kind: "absent",
    ...(end.survivors.length + end.undead.length > 0 ? explainLate(request.role) : explainMissing(request.role)),
  };
}

/** The printed answer, if any. Half of an answer is none. */
function readSpokenResult({ stdout, stdoutTruncated }: SessionEnd): SessionResult | null {
  if (stdoutTruncated) return { kind: "absent", ...REFUSALS.too_large };
  return stdout.toString("utf8").trim() === "" ? null : { kind: "left", data: stdout };
}

type Absence = { readonly cause: AbsentCause; readonly message: string };

const explainMissing = (role: string): Absence => ({
  cause: "result_missing",
  message: `the ${role} left no result`,
});
const explainLate = (role: string): Absence => ({
  cause: "result_late",
  message: `the ${role} ended without a result and left a process behind, which was stopped`,
});
const REFUSALS: Readonly<Record<Extract<LeftFile, { kind: "refused" }>["reason"], Absence>> = {
  link: {
    cause: "result_is_link",
    message: "the result is a link or lies behind one, and links are not followed",
  },
  folder: { cause: "result_is_folder", message: "the result is a folder" },
  special: { cause: "result_is_special", message: "the result is not an ordinary file" },
  too_large: { cause: "result_too_large", message: `the result is larger than ${RESULT_BYTES_MAX} bytes` },
  unreadable: { cause: "result_unreadable", message: "the result may not be read" },
};
