import { join } from "node:path";
import type { Environment } from "../../contract/values/environment.ts";
import { isThere } from "../../io/files/is-there.ts";
import { locateUserSettings } from "../../io/machine/user-folder.ts";
import { locateStateRoot } from "../../io/workspace/state-directory.ts";

/** Whether this person may have a queue: a folder of this machine, or settings that can name a server. */
export function mayHaveQueue(environment: Environment): boolean {
  return isThere(join(locateStateRoot(environment), "queue")) || isThere(locateUserSettings(environment));
}
