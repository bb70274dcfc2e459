import { findProgram } from "../../io/machine/find-program.ts";

interface Started {
  readonly id: string;
  readonly cmd: string;
}

interface MissingProgram {
  readonly program: string;
  /** The checks that would start it. */
  readonly users: readonly string[];
}

/** The programs of the checks that would not be found where the runner starts them. */
export async function listMissingCheckPrograms(
  checks: readonly Started[],
  places: Parameters<typeof findProgram>[1],
): Promise<readonly MissingProgram[]> {
  const missing: MissingProgram[] = [];
  for (const program of new Set(checks.map(({ cmd }) => cmd))) {
    if ((await findProgram(program, places)) !== null) continue;
    missing.push({ program, users: checks.filter(({ cmd }) => cmd === program).map(({ id }) => id) });
  }
  return missing;
}
