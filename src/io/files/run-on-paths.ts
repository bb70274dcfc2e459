/**
 * Runs a program of the system on paths that are bytes.
 *
 * Node hands arguments over as text, and a name that is not text would become another one. `xargs -0` passes bytes on
 * untouched. Programs are looked for in the folders of the system only, never where a repository could offer its own.
 */
import { spawnSync } from "node:child_process";

const SYSTEM_FOLDERS = "/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin";
const TIMEOUT_MS = 600_000;
const END = Buffer.from([0]);

/** Answers with what went wrong, or null. The paths are absolute and are given to the program last. */
export function runOnPaths(command: readonly string[], paths: readonly Buffer[]): string | null {
  const { status, stderr, error } = spawnSync("xargs", ["-0", "--", ...command], {
    cwd: "/",
    input: Buffer.concat(paths.flatMap((path) => [path, END])),
    env: { PATH: SYSTEM_FOLDERS, LC_ALL: "C" },
    timeout: TIMEOUT_MS,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error !== undefined) return `${command[0] ?? ""}: ${error.message}`;
  if (status === 0) return null;
  return `${command[0] ?? ""}: ${stderr.toString("utf8").trim().slice(0, 2_000)}`;
}
