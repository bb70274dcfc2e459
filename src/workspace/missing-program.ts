import { findOwnProgram } from "../system/find-program.ts";

export interface NeededProgram {
  readonly program: string;
  readonly role: string;
  /** The working directory of every session. */
  readonly root: string;
  /** Without a PATH the system uses its own, so nothing can be said. */
  readonly path: string | undefined;
}

/** One sentence; null where the program is found or cannot be checked. */
export async function describeMissing({ program, role, root: cwd, path }: NeededProgram): Promise<string | null> {
  if (path === undefined || (await findOwnProgram(program, { path, cwd })) !== null) return null;
  return explainMissing(program, role);
}

export function explainMissing(program: string, role: string): string {
  const need = role === "orchestrator" ? "only planning needs it" : `the ${role} needs it`;
  return `The program ${program} was not found; ${need}.`;
}
