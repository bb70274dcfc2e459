/**
 * Runs the user's `notify.command`.
 *
 * It runs when everything is recorded and published, between ticks or after the last one, and never while a tick observes
 * the repository. It changes no verdict: it has a timeout, its processes are ended,
 * and its failure is one sentence.
 */
import type { Environment } from "../../contract/values/environment.ts";
import type { Config } from "../../contract/config/config.ts";
import { unreachable } from "../../contract/values/invariant.ts";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import type { Notification } from "../../contract/journal/notification.ts";
import { makeChildEnvironment } from "../../io/machine/environment.ts";
import { readErrorCode } from "../../io/files/error-code.ts";
import { type SessionEnd, supervise } from "../../io/process/supervise.ts";

const SECONDS_MAX = 10;
const OUTPUT_BYTES_MAX = 1024 * 1024;
/** Needed to reach the desktop. */
const DESKTOP = ["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"];

export interface NotifyPlace {
  /** As it was when the tick began: a change must not choose what is started. */
  readonly config: Config;
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

/** Answers with a warning if the command fails. */
export async function notify(
  { config, environment, signal }: NotifyPlace,
  notification: Notification,
): Promise<string | null> {
  const [program, ...args] = config.notify.command ?? [];
  // The sender of a signal waits for the end and needs no notification.
  if (program === undefined || signal.aborted) return null;
  try {
    const end = await supervise({
      program,
      args,
      cwd: notification.repository,
      env: makeChildEnvironment({ inherit: environment, names: DESKTOP, set: listVariables(notification) }),
      input: `${JSON.stringify(notification)}\n`,
      deadlineMs: SECONDS_MAX * 1000,
      outputBytesMax: OUTPUT_BYTES_MAX,
      signal,
      log: null,
      stdoutBytesMax: 0,
      stderrBytesMax: 0,
    });
    const trouble = describeTrouble(end);
    return trouble === null ? null : `notify.command ${trouble}; nothing else is affected`;
  } catch (error) {
    if (!(error instanceof MeasurementError) && readErrorCode(error) === null) throw error;
    return "notify.command could not be supervised; nothing else is affected";
  }
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

function describeTrouble(end: SessionEnd): string | null {
  switch (end.kind) {
    case "exited":
      return end.status === 0 ? null : `ended with status ${end.status}`;
    case "signalled":
      return `was killed by ${end.signal}`;
    case "timed-out":
      return `timed out after ${SECONDS_MAX} seconds`;
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
