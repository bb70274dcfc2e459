import { join } from "node:path";
import { nameTickMarker } from "../process/reap-session.ts";
import { redactSecrets, listSecrets } from "../system/redact-secrets.ts";
import { type SessionEnd, supervise } from "../process/supervise.ts";
import type { SessionRequest, SessionEnding } from "./driver.ts";
import { unreachable } from "../base/errors.ts";

/** A longer line is no line about the session, and is skipped. */
const LINE_BYTES_MAX = 4 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Cuts chunks of output into lines. Text after the last line break is a line once the output has ended. Bytes are joined
 * before they are decoded, so a character that is split between chunks stays whole.
 */
export function splitOutputLines(onLine: (line: string) => void) {
  let pieces: Buffer[] = [];
  let size = 0;
  const add = (piece: Buffer): void => {
    size += piece.length;
    if (size <= LINE_BYTES_MAX) pieces.push(piece);
    else pieces = [];
  };
  const finish = (): void => {
    if (size > 0 && size <= LINE_BYTES_MAX) onLine(Buffer.concat(pieces).toString("utf8"));
    pieces = [];
    size = 0;
  };
  return {
    take: (chunk: Buffer): void => {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        add(chunk.subarray(start, end));
        finish();
        start = end + 1;
      }
      if (start < chunk.length) add(chunk.subarray(start));
    },
    end: finish,
  };
}

const TRANSCRIPT_BYTES_MAX = 8 * 1024 * 1024;
const QUOTED_BYTES_MAX = 64 * 1024;

/** How one program plays a session; everything else is the same for every driver. */
export interface SessionProgram {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly input: string | null;
  /** How much of its standard output is kept, for an answer there. */
  readonly stdoutBytesMax?: number;
  readonly onLine?: OnLine;
  /** Called with each line of the standard error, without secrets. */
  readonly onErrorLine?: (line: string) => void;
  /** Ends the session, as a limit does, when its driver has seen enough. */
  readonly stop?: AbortSignal;
  /** Whether a process that it left behind is still writing its answer. */
  readonly isAwaited?: () => Promise<boolean>;
}

/**
 * Called with each line of the standard output: the line without secrets, to be shown, and the line to read the result
 * from. Only an orchestrator's output is read unredacted, because a value that happens to occur in its task must not
 * change the task.
 */
export type OnLine = (shown: string, told: string) => void;

/** Runs the program of a session to its end, within the limits of the request, and keeps its transcript. */
export async function superviseSession(request: SessionRequest, session: SessionProgram): Promise<SessionEnd> {
  const { program, args, env, input, stdoutBytesMax = 0, onLine, onErrorLine, isAwaited, stop } = session;
  const secrets = listSecrets(env);
  const discreet = (line: string): string => redactSecrets(Buffer.from(line), secrets).toString("utf8");
  const lines = {
    stdout: splitOutputLines((line) => {
      const shown = discreet(line);
      onLine?.(shown, request.role === "orchestrator" ? line : shown);
    }),
    stderr: splitOutputLines((line) => onErrorLine?.(discreet(line))),
  };
  const end = await supervise({
    program,
    args,
    cwd: request.cwd,
    enclosure: request.enclosure,
    isOwn: true,
    env,
    input,
    log: { path: join(request.runDirectory, `${nameSession(request)}.log`), bytesMax: TRANSCRIPT_BYTES_MAX },
    stdoutBytesMax,
    stderrBytesMax: QUOTED_BYTES_MAX,
    deadlineMs: request.timeoutMs,
    idleTimeoutMs: request.idleTimeoutMs,
    outputBytesMax: request.outputBytesMax,
    signal: stop === undefined ? request.signal : AbortSignal.any([request.signal, stop]),
    marker: nameTickMarker(request.runId),
    ...(isAwaited === undefined ? {} : { isAwaited }),
    onOutput: (chunk, stream) => lines[stream].take(chunk),
  });
  lines.stdout.end();
  lines.stderr.end();
  // It is only ever quoted, in messages that are kept and shown.
  return { ...end, stderr: redactSecrets(end.stderr, secrets) };
}

export function makeSessionVariables({ runId, role, name, drop }: SessionRequest): Record<string, string> {
  return {
    RELAIS_RUN_ID: runId,
    RELAIS_ROLE: role,
    RELAIS_DROP: drop.path,
    ...(name === undefined ? {} : { RELAIS_REVIEWER: name }),
  };
}

function nameSession({ role, name }: SessionRequest): string {
  return name === undefined ? role : `${role}-${name}`;
}

/** The ending of a session that did not exit by itself, the same for every program; null for one that did. */
export function findSessionCut(end: SessionEnd, program: string, outputBytesMax: number): SessionEnding | null {
  switch (end.kind) {
    case "exited":
      return null;
    case "signalled":
      return failSession(`signal_${end.signal}`, withLastLine(`it ended with signal ${end.signal}`, end.stderr));
    case "timed-out":
      return { kind: "timed-out", limit: "time" };
    case "idle":
      return { kind: "timed-out", limit: "idle" };
    case "output-limit": {
      const message = `it printed more than ${outputBytesMax} bytes`;
      return { kind: "failed", code: "STOP_OUTPUT_LIMIT", cause: "output_limit", message };
    }
    case "aborted":
      return { kind: "aborted" };
    case "not-started":
      if (end.reason === "not-found" || end.reason === "not-executable")
        return { kind: "not-found", program, message: end.message };
      return failSession(`not_started_${end.reason.replace("-", "_")}`, end.message);
    default:
      return unreachable(end);
  }
}

const QUOTED_CHARS_MAX = 300;

/** A sentence about the end of a program, with its last error line. */
export function withLastLine(sentence: string, stderr: Buffer): string {
  const lines = stderr.toString("utf8").split("\n");
  const said = (lines.findLast((line) => line.trim() !== "") ?? "").trim().slice(0, QUOTED_CHARS_MAX);
  return said === "" ? sentence : `${sentence}: ${said}`;
}

/** The ending of a session that failed for another reason than a limit. */
export function failSession(cause: string, message: string): Extract<SessionEnding, { kind: "failed" }> {
  return { kind: "failed", code: "STOP_INTERRUPTED", cause, message };
}
