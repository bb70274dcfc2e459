/** Runs a command that the person configured for an event. Nothing depends on it; its failure is one sentence. */
import type { Environment } from "../base/environment.ts";
import { unreachable } from "../base/invariant.ts";
import { MeasurementError } from "../base/measurement-error.ts";
import { readErrorCode } from "../system/error-code.ts";
import { makeChildEnvironment } from "../system/child-environment.ts";
import { type SessionEnd, supervise } from "../process/supervise.ts";

const OUTPUT_BYTES_MAX = 1024 * 1024;

interface OwnCommand {
  /** The key of the configuration, for messages. */
  readonly key: string;
  readonly cwd: string;
  readonly environment: Environment;
  /** Variables of the person that it gets, besides the built-in ones. */
  readonly names: readonly string[];
  readonly set: Readonly<Record<string, string>>;
  /** For its standard input. */
  readonly document: object;
  readonly secondsMax: number;
  readonly signal: AbortSignal;
}

/** Answers with a warning if the command fails. */
export async function runOwnCommand(argv: readonly string[] | null, command: OwnCommand): Promise<string | null> {
  const [program, ...args] = argv ?? [];
  const { key, cwd, environment: inherit, names, set, document, secondsMax, signal } = command;
  // The sender of a signal waits for the end and needs no message.
  if (program === undefined || signal.aborted) return null;
  try {
    const end = await supervise({
      program,
      args,
      cwd,
      env: makeChildEnvironment({ inherit, names, set }),
      input: `${JSON.stringify(document)}\n`,
      deadlineMs: secondsMax * 1000,
      outputBytesMax: OUTPUT_BYTES_MAX,
      signal,
      log: null,
      stdoutBytesMax: 0,
      stderrBytesMax: 0,
    });
    const trouble = describeTrouble(end, secondsMax);
    return trouble === null ? null : `${key} ${trouble}; nothing else is affected`;
  } catch (error) {
    if (!(error instanceof MeasurementError) && readErrorCode(error) === null) throw error;
    return `${key} could not be supervised; nothing else is affected`;
  }
}

function describeTrouble(end: SessionEnd, secondsMax: number): string | null {
  switch (end.kind) {
    case "exited":
      return end.status === 0 ? null : `ended with status ${end.status}`;
    case "signalled":
      return `was killed by ${end.signal}`;
    case "timed-out":
      return `timed out after ${secondsMax} seconds`;
    case "output-limit":
      return "printed too much and was stopped";
    case "not-started":
      return `could not be started: ${end.message}`;
    case "idle":
    case "aborted":
      return null;
    default:
      return unreachable(end);
  }
}
