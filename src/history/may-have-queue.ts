import { join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { isThere } from "../system/read-files.ts";
import { locateUserSettings } from "../system/user-folder.ts";
import { locateStateRoot } from "../journal/state-directory.ts";

/** Whether this person may have a queue: a folder of this machine, or settings that can name a server. */
export function mayHaveQueue(environment: Environment): boolean {
  return isThere(join(locateStateRoot(environment), "queue")) || isThere(locateUserSettings(environment));
}
