import { UserSettings } from "../queue/pure/user-settings.ts";
import { QueueError } from "../queue/pure/queue-error.ts";
import type { Environment } from "../base/environment.ts";
import { locateUserSettings } from "../system/user-folder.ts";
import { readPrivate } from "../system/private-document.ts";

/** Null without a file. Throws a `QueueError` where it cannot be used. */
export async function findUserSettings(environment: Environment): Promise<UserSettings | null> {
  const read = await readPrivate(locateUserSettings(environment), UserSettings);
  if (read.kind === "unusable") throw new QueueError("refused", read.reason);
  return read.kind === "missing" ? null : read.value;
}
