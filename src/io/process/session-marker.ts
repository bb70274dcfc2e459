import type { Environment } from "../../contract/values/environment.ts";
import { SESSION_MARKER } from "../machine/environment.ts";

/** The variable that makes a process and all that it starts findable by each of these markers, and by those around us. */
export function nameMarkerVariable(
  environment: Environment,
  markers: readonly (string | null | undefined)[],
): Record<string, string> {
  const outer = environment[SESSION_MARKER];
  const carried = [outer, ...markers].filter((marker) => marker !== undefined && marker !== null);
  return { [SESSION_MARKER]: carried.join(":") };
}
