import { isAbsolute, join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { withHome } from "./with-home.ts";

/** Where a person's own settings and keys are; never in a repository. */
export function locateUserFolder(environment: Environment): string {
  const { HOME: home = "/", XDG_CONFIG_HOME: configured = "" } = withHome(environment);
  return join(isAbsolute(configured) ? configured : join(home, ".config"), "relais");
}

export function locateUserSettings(environment: Environment): string {
  return join(locateUserFolder(environment), "settings.json");
}
