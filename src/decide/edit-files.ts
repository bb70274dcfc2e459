import { join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { isFile } from "../system/is-file.ts";
import { findGitProgram } from "../git/git-program.ts";
import { runEditor } from "../process/editor.ts";

interface EditRequest {
  readonly root: string;
  /** From the root; those that do not exist any more are left out. */
  readonly paths: readonly string[];
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

const FILES_MAX = 50;

/** The person's editor; null if none is set. */
export function findEditor(environment: Environment): string | null {
  const command = environment["VISUAL"] ?? environment["EDITOR"] ?? "";
  return command.trim() === "" ? null : command;
}

/** Opens the files in the person's editor; false if that failed. */
export async function editFiles({ root, paths, environment, signal }: EditRequest): Promise<boolean> {
  const command = findEditor(environment);
  const files = paths.map((path) => join(root, path)).filter((path) => isFile(path));
  if (command === null || files.length === 0) return false;
  // Without the folders that an agent can write to, as for git.
  const path = findGitProgram(root, environment)?.path ?? "/usr/local/bin:/usr/bin:/bin";
  const own = { ...environment, PATH: path };
  return runEditor({ command, files: files.slice(0, FILES_MAX), cwd: root, environment: own, signal });
}
