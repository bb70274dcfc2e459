import type { Environment } from "../../contract/values/environment.ts";
import { withHome } from "../../io/machine/with-home.ts";

/** A copy, because caches (as which git is used) belong to one run alone. */
export function filterOwnEnvironment(outside: Environment): Environment {
  return withHome(outside);
}
