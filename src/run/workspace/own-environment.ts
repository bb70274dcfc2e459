import type { Environment } from "../../contract/values/environment.ts";
import { withHome } from "../../io/machine/with-home.ts";

/** The environment of one run: a copy, because what is known about it, as which git is used, belongs to that run alone. */
export function filterOwnEnvironment(outside: Environment): Environment {
  return withHome(outside);
}
