/**
 * Runs the user's `notify.command`.
 *
 * It runs when everything is recorded and published, between ticks or after the last one, and never while a tick observes
 * the repository. It changes no verdict.
 */
import type { Environment } from "../base/environment.ts";
import type { Config } from "../config/config.ts";
import type { Notification } from "../records/notification.ts";
import { runOwnCommand } from "./own-command.ts";
import { isAttempt } from "./own-environment.ts";

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
