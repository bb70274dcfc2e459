import type { Environment } from "../base/environment.ts";
import { unreachable, MeasurementError } from "../base/errors.ts";
import { readErrorCode } from "../system/read-files.ts";
import { makeChildEnvironment } from "../system/child-environment.ts";
import { type SessionEnd, supervise } from "../process/supervise.ts";
import type { Config } from "../config/config.ts";
import type { Notification } from "../records/notification.ts";
import { isAttempt } from "./own-environment.ts";

/** Runs a command that the person configured for an event. Nothing depends on it; its failure is one sentence. */

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
      env: makeChildEnvironment(inherit, names, set),
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

/**
 * Runs the user's `notify.command`.
 *
 * It runs when everything is recorded and published, between ticks or after the last one, and never while a tick observes
 * the repository. It changes no verdict.
 */

const SECONDS_MAX = 10;
/** Needed to reach the desktop. */
const DESKTOP = ["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"];

export interface NotifyPlace {
  /** As it was when the tick began: a change must not choose what is started. */
  readonly config: Config;
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

/** Answers with a warning if the command fails. */
export function notify(
  { config, environment, signal }: NotifyPlace,
  notification: Notification,
): Promise<string | null> {
  return runOwnCommand(isAttempt(environment) ? null : config.notify.command, {
    key: "notify.command",
    cwd: notification.repository,
    environment,
    names: DESKTOP,
    set: listVariables(notification),
    document: notification,
    secondsMax: SECONDS_MAX,
    signal,
  });
}

function listVariables(notification: Notification): Record<string, string> {
  const { kind, repository, workflow, series_id, run_id, verdict, code, end, summary } = notification;
  return {
    RELAIS_EVENT: kind,
    RELAIS_REPOSITORY: repository,
    RELAIS_WORKFLOW: workflow,
    RELAIS_SERIES_ID: series_id,
    RELAIS_RUN_ID: run_id ?? "",
    RELAIS_VERDICT: verdict ?? "",
    RELAIS_CODE: code ?? "",
    RELAIS_END: end ?? "",
    RELAIS_SUMMARY: summary,
  };
}
