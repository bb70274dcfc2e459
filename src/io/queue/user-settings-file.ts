import { isAbsolute, join } from "node:path";
import { UserSettings } from "../../contract/queue/user-settings.ts";
import { QueueError } from "../../contract/queue/queue-error.ts";
import type { Environment } from "../../contract/values/environment.ts";
import { withHome } from "../machine/with-home.ts";
import { readPrivate } from "./private-document.ts";

/** Where a person's own settings are; never in a repository. */
export function locateUserFolder(environment: Environment): string {
  const { HOME: home = "/", XDG_CONFIG_HOME: configured = "" } = withHome(environment);
  return join(isAbsolute(configured) ? configured : join(home, ".config"), "relais");
}

export function locateUserSettings(environment: Environment): string {
  return join(locateUserFolder(environment), "settings.json");
}

/** Null without a file. Throws a `QueueError` where it cannot be used. */
export async function findUserSettings(environment: Environment): Promise<UserSettings | null> {
  const read = await readPrivate(locateUserSettings(environment), UserSettings);
  if (read.kind === "unusable") throw new QueueError("refused", read.reason);
  return read.kind === "missing" ? null : read.value;
}
