import { join, resolve, sep } from "node:path";
import type { Environment } from "../base/environment.ts";
import { resolveReal } from "../system/outside-repository.ts";
import { withHome } from "../system/with-home.ts";

interface Surroundings {
  readonly root: string;
  readonly environment: Environment;
}

/** Where a held-out file lies: the configuration names it absolutely, with `~/`, or from the root of the repository. */
export function locateHeldOut(source: string, { root, environment }: Surroundings): string {
  const home = withHome(environment)["HOME"] ?? "";
  return source.startsWith("~/") ? join(home, source.slice(2)) : resolve(root, source);
}

/** Null for a file or folder that agents can be kept away from. */
export function findHeldOutProblem(source: string, around: Surroundings): "missing" | "inside" | null {
  const path = locateHeldOut(source, around);
  const real = resolveReal(path);
  if (real === null) return "missing";
  const root = `${resolveReal(around.root) ?? around.root}${sep}`;
  const isNear = [path, real].some((place) => `${place}${sep}`.startsWith(root) || root.startsWith(`${place}${sep}`));
  return isNear || real === sep ? "inside" : null;
}
