import { chmodSync, lstatSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { MeasurementError } from "../contract/measurement-error.ts";
import { absoluteBytes } from "./byte-path.ts";
import { errorCode } from "./error-code.ts";

type Act = (absolute: Buffer) => void;

/**
 * Runs an act on a path below a folder, lifting what stands in its way: first the permissions of the folders above it,
 * then, where the system has them, the immutable and append-only flags.
 */
export function lifting(folder: string): (path: string, act: Act) => void {
  let areFlagsCleared = false;
  const clearFlagsOnce = (): void => {
    if (!areFlagsCleared) clearFlags(folder);
    areFlagsCleared = true;
  };
  return (path, act) => {
    const absolute = absoluteBytes(folder, path);
    let refused = attempt(() => act(absolute));
    if (refused !== null) refused = attempt(() => (openFolders(folder, path), act(absolute)));
    if (refused !== null)
      refused = attempt(() => (clearFlagsOnce(), openFolders(folder, path), act(absolute)));
    if (refused !== null) throw new MeasurementError(absolute.toString("utf8"), refused);
  };
}

/** The reason of a refusal, or null when the act succeeded. Anything but a refusal is thrown as it is. */
function attempt(act: () => void): string | null {
  try {
    act();
    return null;
  } catch (error) {
    if (error instanceof Error && ["EACCES", "EPERM"].includes(errorCode(error) ?? "")) return error.message;
    throw error;
  }
}

function openFolders(folder: string, path: string): void {
  const parts = path.split("/").slice(0, -1);
  for (let depth = 0; depth <= parts.length; depth += 1) {
    const absolute = absoluteBytes(folder, parts.slice(0, depth).join("/"));
    const { mode } = lstatSync(absolute);
    if ((mode & 0o700) !== 0o700) chmodSync(absolute, (mode & 0o7777) | 0o700);
  }
}

/** Only root can set these flags, so it is rare, and one pass over the folder is simplest. */
function clearFlags(folder: string): void {
  spawnSync("chattr", ["-R", "-f", "-i", "-a", "."], {
    cwd: Buffer.from(folder, "latin1").toString("utf8"),
    timeout: 600_000,
  });
}
