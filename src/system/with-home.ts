import { userInfo } from "node:os";
import { isAbsolute } from "node:path";
import type { Environment } from "../base/environment.ts";

/** A copy of the environment with an absolute HOME, if the system knows the user's. */
export function withHome(environment: Environment): Environment {
  if (isAbsolute(environment["HOME"] ?? "")) return { ...environment };
  const { HOME: _, ...others } = environment;
  const home = readSystemHome();
  return home === null ? others : { ...others, HOME: home };
}

/** Null where the system does not know the user, as for a bare number in a container. */
function readSystemHome(): string | null {
  try {
    const { homedir } = userInfo();
    return isAbsolute(homedir) ? homedir : null;
  } catch {
    return null;
  }
}
