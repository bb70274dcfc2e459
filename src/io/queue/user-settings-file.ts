import { UserSettings } from "../../contract/queue/user-settings.ts";
import { QueueError } from "../../contract/queue/queue-error.ts";
import type { Environment } from "../../contract/values/environment.ts";
import { locateUserSettings } from "../machine/user-folder.ts";
import { readPrivate } from "./private-document.ts";

/** Null without a file. Throws a `QueueError` where it cannot be used. */
export async function findUserSettings(environment: Environment): Promise<UserSettings | null> {
  const read = await readPrivate(locateUserSettings(environment), UserSettings);
  if (read.kind === "unusable") throw new QueueError("refused", read.reason);
  return read.kind === "missing" ? null : read.value;
}
