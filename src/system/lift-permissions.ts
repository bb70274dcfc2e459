import { chmodSync, lstatSync } from "node:fs";
import { MeasurementError } from "../base/errors.ts";
import { joinBytes } from "./byte-path.ts";
import { readErrorCode } from "./read-files.ts";
import { runOnPaths } from "./run-on-paths.ts";

type Act = (absolute: Buffer) => void;

/**
 * Runs an act on a path below a folder, lifting obstacles: first the permissions of the folders above it, then, where
 * the system has them, the immutable and append-only flags of the path and of its folder. All other flags are the
 * user's own and stay.
 */
export function liftPermissionsAround(folder: string): (path: string, act: Act) => void {
  return (path, act) => {
    const absolute = joinBytes(folder, path);
    let refused = attempt(() => act(absolute));
    if (refused !== null) refused = attempt(() => (openFolders(folder, path), act(absolute)));
    if (refused !== null) refused = attempt(() => (clearFlags(folder, path), openFolders(folder, path), act(absolute)));
    if (refused !== null) throw new MeasurementError(absolute.toString("utf8"), refused);
  };
}

/** The reason of a refusal, or null when the act succeeded. Any other error is thrown. */
function attempt(act: () => void): string | null {
  try {
    act();
    return null;
  } catch (error) {
    if (error instanceof Error && ["EACCES", "EPERM"].includes(readErrorCode(error) ?? "")) return error.message;
    throw error;
  }
}

function openFolders(folder: string, path: string): void {
  const parts = path.split("/").slice(0, -1);
  for (let depth = 0; depth <= parts.length; depth += 1) {
    const absolute = joinBytes(folder, parts.slice(0, depth).join("/"));
    const { mode } = lstatSync(absolute);
    if ((mode & 0o700) !== 0o700) chmodSync(absolute, (mode & 0o7777) | 0o700);
  }
}

/** The next try shows whether it helped: a link has no flags, and not every system knows them. */
function clearFlags(folder: string, path: string): void {
  const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const places = path === "" ? [""] : [parent, path];
  runOnPaths(
    ["chattr", "-f", "-i", "-a", "--"],
    places.map((place) => joinBytes(folder, place)),
  );
}
