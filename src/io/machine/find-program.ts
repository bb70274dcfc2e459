import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { isOutsideRepository } from "./outside-repository.ts";

/** The file that would be started for a program's name or path, with this PATH in this folder; null where there is none. */
export async function findProgram(
  program: string,
  { path, cwd }: { readonly path: string; readonly cwd: string },
): Promise<string | null> {
  const candidates = program.includes("/")
    ? [isAbsolute(program) ? program : resolve(cwd, program)]
    : path.split(delimiter).map((folder) => join(resolve(cwd, folder), program));
  for (const candidate of candidates) if (await isExecutable(candidate)) return candidate;
  return null;
}

/**
 * As `findProgram`, but a bare name never means a program inside the repository around `cwd`: a change that is judged
 * may have put it there.
 */
export async function findOwnProgram(
  program: string,
  { path, cwd }: { readonly path: string; readonly cwd: string },
): Promise<string | null> {
  if (program.includes("/")) return findProgram(program, { path, cwd });
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder));
  for (const folder of folders) {
    const candidate = join(folder, program);
    if ((await isExecutable(candidate)) && isOutsideRepository(candidate, cwd)) return candidate;
  }
  return null;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false; // Whatever the reason, the system would refuse to start it as well.
  }
}
