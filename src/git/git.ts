/**
 * The one way to run git.
 *
 * The repository's configuration, hooks, attributes and environment may be part of the change being judged. So git
 * starts with an environment made from nothing, with its directories named (it never searches for a repository), and
 * with every setting that would run a program switched off. Anything but the expected exit with complete output is
 * thrown: half an answer about a change would pass as a smaller change.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Environment } from "../base/environment.ts";
import { describeError, MeasurementError } from "../base/errors.ts";
import { getGitBounds, type GitPlaces, HARDENING, makeGitEnvironment } from "./git-environment.ts";
import { findGitProgram } from "./git-program.ts";
import { noteProcess } from "../system/process-notes.ts";
import { reapMarked } from "../process/reap-session.ts";
import type { Exit } from "../process/supervise-launch.ts";
import { nameMarkerVariable } from "../system/child-environment.ts";
import type { Repository } from "./repository-layout.ts";

export interface GitRequest extends GitPlaces {
  readonly args: readonly string[];
  readonly cwd: string;
  /** Of the person, to find git. Nothing else of it reaches git. */
  readonly environment: Environment;
  readonly input?: Buffer | AsyncIterable<Buffer> | undefined;
  readonly okStatuses?: readonly number[] | undefined;
  /** By default enough for an answer about one thing. */
  readonly outputBytesMax?: number | undefined;
  /** Takes the output as it comes; the answer's `stdout` is then empty and the cap still counts. */
  readonly onStdout?: ((chunk: Buffer) => void) | undefined;
  readonly timeoutMs?: number | undefined;
  /** Limits the memory of the process, for input from strangers. Not every system enforces it. */
  readonly memoryBytesMax?: number | undefined;
  /** Instead of the usual settings, for a git that may reach another repository. */
  readonly hardening?: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

export interface GitAnswer {
  readonly stdout: Buffer;
  readonly status: number;
  /** Messages of git and its filters; some of git's failures are only warnings. */
  readonly stderr: string;
}

export type GitAccess = GitPlaces & Pick<GitRequest, "cwd" | "environment" | "signal">;

/** The user's own repository, without its worktree. */
export function accessRepository({ root, gitDir, environment }: Repository, signal?: AbortSignal) {
  return { cwd: root, environment, gitDir, signal };
}

const ANSWER_BYTES_MAX = 64 * 1024;
/** Long enough for the first hashing of a very large tree, short enough to end some day. */
const TIMEOUT_MS = 15 * 60 * 1000;
const STDERR_BYTES_MAX = 8 * 1024 * 1024;
const DETAIL_CHARACTERS_MAX = 2_000;
const NO_GIT =
  "no git is on the PATH; one in the repository, in node_modules/.bin or in a relative folder does not count";

/** Runs git to its end and answers with its whole output, or throws a MeasurementError. */
export async function runGit(request: GitRequest): Promise<GitAnswer> {
  const what = `git ${request.args.find((arg, at) => arg !== "-c" && request.args[at - 1] !== "-c") ?? ""}`;
  if (listStops(request).some(({ aborted }) => aborted)) throw new MeasurementError(what, "was stopped");
  const marker = randomBytes(16).toString("hex");
  const child = start(request, { what, marker });
  const collected = collect(child, request);
  const end = await collected.ended;
  const failure = collected.failure();
  if (failure !== null) {
    // A filter may have left the group that was killed, and would go on for as long as it likes.
    if (child.pid !== undefined) await reapMarked(marker);
    throw new MeasurementError(what, failure);
  }
  if (end.signal !== null) throw new MeasurementError(what, `was ended by ${end.signal}`);
  const status = end.status ?? -1;
  if (!(request.okStatuses ?? [0]).includes(status)) {
    const said = collected.stderr().slice(0, DETAIL_CHARACTERS_MAX);
    const verdict = `ended with status ${status}`;
    throw new MeasurementError(what, said === "" ? verdict : `${verdict}: ${said}`);
  }
  return { stdout: collected.stdout(), status, stderr: collected.stderr() };
}

/** What git answers in one line, such as an id. */
export async function askGit(request: GitRequest): Promise<string> {
  return (await runGit(request)).stdout.toString("latin1").trim();
}

function listStops({ signal }: GitRequest): readonly AbortSignal[] {
  return [signal, getGitBounds().signal].filter((stop) => stop !== undefined && stop !== null);
}

function start(
  request: GitRequest,
  { what, marker }: { readonly what: string; readonly marker: string },
): ChildProcess {
  const program = findGitProgram(request.cwd, request.environment);
  if (program === null) throw new MeasurementError(what, NO_GIT);
  try {
    const [file, ...first] = boundMemory(program.file, request.memoryBytesMax);
    const env = {
      ...makeGitEnvironment(request, program.path),
      ...nameMarkerVariable(request.environment, [getGitBounds().marker, marker]),
    };
    const child = spawn(file, [...first, ...(request.hardening ?? HARDENING), ...request.args], {
      cwd: request.cwd,
      env,
      stdio: [request.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      // A group of its own, so that filters end together with the git that started them.
      detached: true,
    });
    noteProcess({ child, argv: [file, ...first, ...request.args], env });
    return child;
  } catch (error) {
    throw new MeasurementError(what, describeError(error));
  }
}

/** Only a shell can set a limit for what it becomes. Where it cannot, git runs without one. */
function boundMemory(git: string, bytesMax: number | undefined): readonly [string, ...string[]] {
  if (bytesMax === undefined) return [git];
  const script = 'ulimit -v "$0" 2>/dev/null; exec "$@"';
  return ["/bin/sh", "-c", script, `${Math.ceil(bytesMax / 1024)}`, git];
}

function collect(child: ChildProcess, request: GitRequest) {
  const { outputBytesMax = ANSWER_BYTES_MAX } = request;
  const chunks: Buffer[] = [];
  let bytes = 0;
  const messages: Buffer[] = [];
  let messageBytes = 0;
  let failure: string | null = null;
  const fail = (reason: string): void => {
    failure ??= reason;
    killGroup(child);
  };
  child.stdout?.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > outputBytesMax) {
      fail(`printed more than ${outputBytesMax} bytes`);
    } else if (failure === null && request.onStdout === undefined) {
      chunks.push(chunk);
    } else if (failure === null) {
      handOver(request, chunk, fail);
    }
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    messageBytes += chunk.length;
    if (messageBytes > STDERR_BYTES_MAX) fail(`printed more than ${STDERR_BYTES_MAX} bytes of messages`);
    else messages.push(chunk);
  });
  const ended = awaitEnd(child, request, fail);
  return {
    ended,
    failure: () => failure,
    stdout: () => Buffer.concat(chunks),
    stderr: () => Buffer.concat(messages).toString("utf8").trim(),
  };
}

function handOver(request: GitRequest, chunk: Buffer, fail: (reason: string) => void): void {
  try {
    request.onStdout?.(chunk);
  } catch (error) {
    fail(describeError(error));
  }
}

async function awaitEnd(child: ChildProcess, request: GitRequest, fail: (reason: string) => void): Promise<Exit> {
  const timeoutMs = Math.min(request.timeoutMs ?? TIMEOUT_MS, TIMEOUT_MS);
  const timer = setTimeout(() => fail(`took longer than ${timeoutMs} ms`), timeoutMs);
  const onAbort = (): void => fail("was stopped");
  const stops = listStops(request);
  for (const stop of stops) stop.addEventListener("abort", onAbort, { once: true });
  const outputEnded = new Promise<void>((done) => child.stdout?.once("close", done));
  feed(child, request.input).catch((error: unknown) => fail(describeError(error)));
  try {
    const end = await new Promise<Exit>((done) => {
      child.once("error", (error) => {
        fail(describeError(error));
        if (child.pid === undefined) done({ status: null, signal: null });
      });
      child.once("exit", (status, signal) => done({ status, signal }));
    });
    // Not the child's own `close`: a filter may leave a process behind that holds the error stream open.
    if (child.pid !== undefined) await outputEnded;
    return end;
  } finally {
    clearTimeout(timer);
    for (const stop of stops) stop.removeEventListener("abort", onAbort);
    child.stderr?.destroy();
    child.stdin?.destroy();
  }
}

/** Git may close its input early when it fails; its status says more than a broken pipe. */
const CLOSED_EARLY: readonly unknown[] = ["EPIPE", "ECONNRESET", "ERR_STREAM_PREMATURE_CLOSE", "ERR_STREAM_DESTROYED"];

async function feed(child: ChildProcess, input: GitRequest["input"]): Promise<void> {
  if (child.stdin === null || input === undefined) return;
  try {
    await pipeline(Buffer.isBuffer(input) ? Readable.from([input]) : input, child.stdin);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && CLOSED_EARLY.includes(error.code))) throw error;
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group is already gone, which is what was wanted.
  }
  child.stdout?.destroy();
}
