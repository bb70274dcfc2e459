/**
 * Starts a program so that it can be supervised.
 *
 * It gets its own session, its input as a file and its output as real pipes.
 */
import {
  accessSync,
  closeSync,
  constants as fileConstants,
  existsSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { Socket } from "node:net";
import { delimiter, join } from "node:path";
import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import { constants as osConstants } from "node:os";
import type { Readable } from "node:stream";
import { beginOwnName } from "../system/own-folders.ts";
import { removeFolder } from "../system/remove-own.ts";
import { findSystemTool } from "../system/system-tool.ts";
import { describeError } from "../base/errors.ts";
import { readErrorCode } from "../system/read-files.ts";
import { locateTemporaryRoot } from "../system/temporary-folder.ts";
import { noteProcess } from "../system/process-notes.ts";
import { findOwnProgram, findProgram } from "../system/find-program.ts";
import { startTagged } from "./session-tag.ts";
import { holdParts } from "../system/load-parts.ts";
import type { Enclosure } from "./enclosure.ts";

/*
 * Pipes for the output of programs.
 *
 * Node's own "pipes" are sockets, and on Linux a script that writes to /dev/stderr, as many do, cannot open a socket and
 * fails. So the pipes are made by mkfifo there. A process for two pipes would cost more than a short program, so several
 * are made at once. Both ends are open before a pipe loses its name, and each is given to one program only.
 */

const { O_WRONLY, O_NONBLOCK } = fileConstants;
const MKFIFO = ["/usr/bin/mkfifo", "/bin/mkfifo", "/run/current-system/sw/bin/mkfifo"];
/** For eight programs; a tick starts two to four. */
const MADE_AT_ONCE = 16;
/** What a pipe of Linux holds. */
const PIPE_BYTES = 64 * 1024;

interface Pipe {
  readonly reader: number;
  readonly writer: number;
}

const spare: Pipe[] = [];

/** A pipe for each of standard output and standard error; null where the system has none. The taker closes all ends. */
async function takePipes(temporaryRoot: string): Promise<Readonly<Record<"stdout" | "stderr", Pipe>> | null> {
  if (spare.length < 2) spare.push(...(await makePipes(temporaryRoot)));
  const stdout = spare.pop();
  const stderr = spare.pop();
  return stdout === undefined || stderr === undefined ? null : { stdout, stderr };
}

async function makePipes(temporaryRoot: string): Promise<readonly Pipe[]> {
  const mkfifo = process.platform === "linux" ? MKFIFO.find((path) => existsSync(path)) : undefined;
  if (mkfifo === undefined) return [];
  const folder = mkdtempSync(join(temporaryRoot, beginOwnName()));
  try {
    const paths = Array.from({ length: MADE_AT_ONCE }, (_, index) => join(folder, String(index)));
    return (await findSystemTool(mkfifo, ["-m", "600", ...paths])) === null ? [] : paths.map(openPipe);
  } finally {
    removeFolder(folder);
  }
}

function openPipe(path: string): Pipe {
  // The reading end first: opening a pipe for writing waits until somebody reads.
  const reader = openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    return { reader, writer: openSync(path, O_WRONLY) };
  } catch (error) {
    closeSync(reader);
    throw error;
  }
}

/**
 * Reads what comes through a pipe into one buffer that is used again and again: a new one for every chunk of a flood
 * would be garbage faster than it is collected. So a chunk is good only until `onChunk` has ended.
 */
function readPipe(reader: number, onChunk: (chunk: Buffer) => void): Socket {
  const buffer = Buffer.alloc(PIPE_BYTES);
  const callback = (length: number): boolean => {
    onChunk(buffer.subarray(0, length));
    return true;
  };
  const options = { fd: reader, readable: true, writable: false, onread: { buffer, callback } };
  return new Socket(options);
}

const { O_RDONLY, X_OK } = fileConstants;

export interface LaunchRequest {
  /** A name on the PATH of `env`, or a path. There is no shell. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The whole standard input; null is an empty one. */
  readonly input: string | Uint8Array | null;
  /** Whether a name may not mean a program inside the repository around `cwd`. */
  readonly isOwn?: boolean;
  /** Where it runs; absent or null is beside us. Then `program` and `cwd` are paths of the inside. */
  readonly enclosure?: Enclosure | null;
  /** Its limit of file locks; null leaves it alone. */
  readonly tag?: number | null;
}

/** Why a program was never started. The caller words it for its reader. */
export interface NotStarted {
  readonly kind: "not-started";
  readonly reason: "not-found" | "not-executable" | "bad-cwd" | "too-large" | "other";
  readonly message: string;
}

export interface Exit {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Takes each chunk as it comes. The bytes are only valid during the call. */
export type OnChunk = (chunk: Buffer, stream: "stdout" | "stderr") => void;

export interface Running {
  readonly kind: "running";
  readonly pid: number;
  /** The tag that it carries. */
  readonly tag: number | null;
  /** How many processes of its enclosure stand above the program, beginning with this pid. */
  readonly wrappers: number;
  readonly exit: Promise<Exit>;
  /** Settles when no process holds the pipes any more, which may be long after the exit. */
  readonly closed: Promise<unknown>;
  /** Lets go of the pipes, and of a process that cannot be ended, so that our own process can end. */
  readonly abandon: () => void;
}

export async function launch(request: LaunchRequest, onChunk: OnChunk): Promise<Running | NotStarted> {
  const fault = findCwdFault(viewFrom(request.enclosure)(request.cwd));
  if (fault !== null) return { kind: "not-started", reason: "bad-cwd", message: fault };
  holdParts();
  const file = await findFile(request);
  if (file === null) return { kind: "not-started", reason: "not-found", message: `${request.program} was not found` };
  const { tag, command, place } = await planStart(file, request);
  const { env } = request;
  const ends = await openStreams(request, onChunk);
  let child: ChildProcess;
  try {
    const [started, ...args] = command;
    child = spawn(started, args, { ...place, env, stdio: ends.stdio, detached: true, shell: false });
    noteProcess({ child, argv: [request.program, ...request.args], env });
  } catch (error) {
    ends.destroyOurs();
    return explainNotStarted(error, request);
  } finally {
    ends.closeTheirs();
  }
  const exit = new Promise<Exit>((resolve) => {
    const isWrapped = countWrappers(request) > 0;
    child.once("exit", (status, signal) => resolve(isWrapped ? unwrapExit({ status, signal }) : { status, signal }));
  });
  const { pid } = child;
  if (pid === undefined) {
    const error = await new Promise<unknown>((resolve) => child.once("error", resolve));
    ends.destroyOurs();
    return explainNotStarted(error, request);
  }
  const streams = [...ends.ours, ...attachPipes(child, onChunk)];
  const abandon = (): void => {
    for (const stream of streams) stream.destroy();
    child.unref();
  };
  const closed = Promise.all(streams.map(awaitClose));
  return { kind: "running", pid, tag, wrappers: countWrappers(request), exit, closed, abandon };
}

const countWrappers = ({ enclosure }: LaunchRequest): number => enclosure?.wrappers ?? 0;

const SIGNAL_STATUS = 128;

/** Programs catch these and end with the same status that a wrapper reports. */
const CAUGHT: readonly (string | undefined)[] = ["SIGHUP", "SIGINT", "SIGTERM"];

/** A wrapper reports a signal that ended the program as a status, as a shell does. */
function unwrapExit(exit: Exit): Exit {
  const number = (exit.status ?? 0) - SIGNAL_STATUS;
  const [signal] = Object.entries(osConstants.signals).find(([, value]) => value === number) ?? [];
  return isSignal(signal) && !CAUGHT.includes(signal) ? { status: null, signal } : exit;
}

const isSignal = (name: string | undefined): name is NodeJS.Signals =>
  name !== undefined && Object.hasOwn(osConstants.signals, name);

/** Inside, only a path can be started: a shell that misses a name there would end as a program does. */
async function findFile({ program, env, cwd, isOwn = false, enclosure }: LaunchRequest): Promise<string | null> {
  const path = env["PATH"];
  const view = viewFrom(enclosure);
  if (isOwn && path !== undefined) return findOwnProgram(program, { path, cwd, view });
  return (enclosure ?? null) === null ? program : findProgram(program, { path: path ?? DEFAULT_PATH, cwd, view });
}

/** What the system takes where no PATH is set. */
const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

function viewFrom(enclosure: Enclosure | null | undefined): Enclosure["view"] {
  return enclosure?.view ?? ((path) => path);
}

/** A program that the system would refuse to start is started without a tag, so that the system says why. */
async function planStart(file: string, { tag = null, args, cwd, env, program, enclosure = null }: LaunchRequest) {
  const command = enclosure === null ? ([file, ...args] as const) : enclosure.enter({ file, args, cwd });
  const place = enclosure === null ? { cwd, argv0: program } : { cwd: "/" };
  const [first, ...rest] = command;
  const isThere = tag !== null && (await findProgram(first, { path: env["PATH"] ?? "", cwd: place.cwd })) !== null;
  const tagged = isThere ? startTagged(tag, first) : null;
  if (tagged === null) return { tag: null, command, place };
  return { tag, command: [...tagged, ...rest] as const, place: { cwd: place.cwd } };
}

/** The sockets that Node made, where we made no pipes. */
function attachPipes({ stdout, stderr }: ChildProcess, onChunk: OnChunk): Readable[] {
  stdout?.on("data", (chunk: Buffer) => onChunk(chunk, "stdout"));
  stderr?.on("data", (chunk: Buffer) => onChunk(chunk, "stderr"));
  return [stdout, stderr].filter((stream) => stream !== null);
}

function awaitClose(stream: Readable): Promise<unknown> {
  stream.on("error", () => {}); // A pipe that breaks has simply ended.
  return stream.closed ? Promise.resolve() : new Promise((resolve) => stream.once("close", resolve));
}

function findCwdFault(cwd: string): string | null {
  try {
    if (!statSync(cwd).isDirectory()) return `${cwd} is not a folder`;
    accessSync(cwd, X_OK);
    return null;
  } catch (error) {
    return `${cwd} cannot be entered (${readErrorCode(error) ?? String(error)})`;
  }
}

const REASONS: Readonly<Record<string, NotStarted["reason"]>> = {
  ENOENT: "not-found",
  ENOTDIR: "not-found",
  EACCES: "not-executable",
  EPERM: "not-executable",
  ENOEXEC: "not-executable",
  E2BIG: "too-large",
};

function explainNotStarted(error: unknown, request: LaunchRequest): NotStarted {
  const message = describeError(error);
  const reason = REASONS[readErrorCode(error) ?? ""] ?? "other";
  const isAbsent = reason === "not-executable" && !isOnPath(request);
  return { kind: "not-started", reason: isAbsent ? "not-found" : reason, message };
}

/** A folder on the PATH that may not be entered makes the system say "permission denied" for a name that is nowhere. */
function isOnPath({ program, env }: LaunchRequest): boolean {
  if (program.includes("/")) return true;
  return (env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));
}

/** Both ends of the three standard streams. Where none are ours, the child process object holds them. */
async function openStreams({ input, env }: LaunchRequest, onChunk: OnChunk) {
  const theirs: number[] = [];
  const ours: Socket[] = [];
  const closeTheirs = (): void => theirs.forEach((file) => closeSync(file));
  const attach = ({ reader, writer }: Pipe, name: "stdout" | "stderr"): number => {
    theirs.push(writer);
    ours.push(readPipe(reader, (chunk) => onChunk(chunk, name)));
    return writer;
  };
  const temporaryRoot = locateTemporaryRoot(env);
  try {
    const stdin = input === null ? "ignore" : openInput(temporaryRoot, input);
    if (typeof stdin === "number") theirs.push(stdin);
    const pipes = await takePipes(temporaryRoot);
    const stdio: StdioOptions =
      pipes === null
        ? [stdin, "pipe", "pipe"]
        : [stdin, attach(pipes.stdout, "stdout"), attach(pipes.stderr, "stderr")];
    return { stdio, ours, closeTheirs, destroyOurs: (): void => ours.forEach((socket) => socket.destroy()) };
  } catch (error) {
    closeTheirs();
    throw error;
  }
}

/** The input as a file that has lost its name. */
function openInput(temporaryRoot: string, input: string | Uint8Array): number {
  const folder = mkdtempSync(join(temporaryRoot, beginOwnName()));
  try {
    const path = join(folder, "stdin");
    writeFileSync(path, input, { mode: 0o600, flag: "wx" });
    return openSync(path, O_RDONLY);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
