import { join } from "node:path";
import { nameTickMarker } from "../process/reap-session.ts";
import { redactSecrets, listSecrets } from "../system/redact-secrets.ts";
import { type SessionEnd, supervise } from "../process/supervise.ts";
import type { SessionRequest } from "./driver.ts";
import { splitOutputLines } from "./output-lines.ts";

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
