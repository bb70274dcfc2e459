/**
 * Installed dependencies: ignored files that come from a package manager. They may change together with a lockfile, if
 * lockfiles may change, and never alone.
 */
import type { Change, Rules } from "./evidence.ts";
import { foldName } from "../base/path-names.ts";
import { compileForbidden } from "../base/globs.ts";

const FOLDERS = [
  "node_modules",
  "bower_components",
  ".pnpm-store",
  ".venv",
  "venv",
  "site-packages",
  "__pypackages__",
  "vendor",
];

const matchDependency = compileForbidden(FOLDERS.map((name) => `**/${name}/**`));

export function isDependency({ path, standing }: Pick<Change, "path" | "standing">): boolean {
  return standing === "ignored" && (matchDependency(path) ?? matchDependency(`${path}/x`)) !== null;
}

/** Whether a glob protects dependencies, and not something that happens to lie among them. */
export function isAboutDependencies(glob: string): boolean {
  return FOLDERS.some((name) => glob.includes(name));
}

/** Whether the change installs something, and may. */
export function installsDependencies(
  changes: readonly Pick<Change, "path" | "standing">[],
  { allow_lockfile_changes: isAllowed, lockfiles }: Pick<Rules, "allow_lockfile_changes" | "lockfiles">,
): boolean {
  const findName = makeLockfileFinder(lockfiles);
  return isAllowed && changes.some(({ path, standing }) => standing !== "ignored" && findName(path) !== null);
}

/** Finds the configured name of a lockfile in any folder, and in any case. */
export function makeLockfileFinder(names: readonly string[]): (path: string) => string | null {
  const known = new Map(names.map((name) => [foldName(name), name]));
  return (path) => known.get(foldName(path.slice(path.lastIndexOf("/") + 1))) ?? known.get(foldName(path)) ?? null;
}
