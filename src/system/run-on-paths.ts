/**
 * Runs a program of the system on paths that are bytes.
 *
 * Node hands arguments over as text, and a name that is not text would become another one; `xargs -0` passes bytes on
 * untouched, and any number of them. A few that are text need no `xargs`. Programs are searched in the folders of the system only, never where a repository could offer its own.
 */
import { spawnSync } from "node:child_process";
import { beginNote } from "./process-notes.ts";

const SYSTEM_FOLDERS = "/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin";
const TIMEOUT_MS = 600_000;
const END = Buffer.from([0]);
/** Far below what every system takes. */
const ARGUMENT_BYTES_MAX = 16 * 1024;

/** Answers with the error, or null. The paths are absolute and become the last arguments. */
export function runOnPaths(command: readonly string[], paths: readonly Buffer[]): string | null {
  const texts = findTexts(paths);
  const argv = texts === null ? ["xargs", "-0", "--", ...command] : [...command, ...texts];
  const [program = "", ...args] = argv;
  const env = { PATH: SYSTEM_FOLDERS, LC_ALL: "C" };
  const note = beginNote({ argv, env });
  const { status, signal, stderr, error } = spawnSync(program, args, {
    cwd: "/",
    ...(texts === null ? { input: Buffer.concat(paths.flatMap((path) => [path, END])) } : {}),
    env,
    timeout: TIMEOUT_MS,
    maxBuffer: 64 * 1024 * 1024,
  });
  note(signal ?? (status === null ? "not started" : `status ${status}`));
  if (error !== undefined) return `${command[0] ?? ""}: ${error.message}`;
  if (status === 0) return null;
  return `${command[0] ?? ""}: ${stderr.toString("utf8").trim().slice(0, 2_000)}`;
}

/** Null where the paths are too many, or one is not text. */
function findTexts(paths: readonly Buffer[]): readonly string[] | null {
  if (paths.length === 0 || paths.reduce((sum, { length }) => sum + length, 0) > ARGUMENT_BYTES_MAX) return null;
  const texts = paths.map((path) => path.toString("utf8"));
  return texts.every((text, index) => paths[index]?.equals(Buffer.from(text)) === true) ? texts : null;
}
