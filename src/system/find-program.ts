import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { isOutsideRepository } from "./outside-repository.ts";

interface ProgramSearch {
  readonly path: string;
  readonly cwd: string;
  /** How this process reaches a path there; absent is by that path. */
  readonly view?: (path: string) => string;
}

/** The file that would be started for a program's name or path, with this PATH in this folder; null where there is none. */
export async function findProgram(
  program: string,
  { path, cwd, view = (inside) => inside }: ProgramSearch,
): Promise<string | null> {
  const candidates = program.includes("/")
    ? [isAbsolute(program) ? program : resolve(cwd, program)]
    : path.split(delimiter).map((folder) => join(resolve(cwd, folder), program));
  for (const candidate of candidates) if (isExecutable(view(candidate))) return candidate;
  return null;
}

/**
 * As `findProgram`, but a bare name never means a program inside the repository around `cwd`: a change that is judged
 * may have put it there.
 */
export async function findOwnProgram(program: string, search: ProgramSearch): Promise<string | null> {
  if (program.includes("/")) return findProgram(program, search);
  const { path, cwd, view = (inside) => inside } = search;
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder));
  for (const folder of folders) {
    const candidate = join(folder, program);
    if (isExecutable(view(candidate)) && isOutsideRepository(candidate, cwd)) return candidate;
  }
  return null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // Whatever the reason, the system would refuse to start it as well.
  }
}
