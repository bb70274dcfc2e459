import type { Config } from "../config/config.ts";
import type { Task } from "../records/task.ts";
import type { Check } from "../checks/pure/verification-plan.ts";
import type { Repository } from "../git/repository-layout.ts";
import { findProgram } from "../system/find-program.ts";

interface CheckProgram {
  readonly id: string;
  readonly cmd: string;
}

interface MissingProgram {
  readonly program: string;
  readonly users: readonly string[];
}

/** The programs of checks that the runner would not find. */
export async function listMissingCheckPrograms(
  checks: readonly CheckProgram[],
  places: Parameters<typeof findProgram>[1],
): Promise<readonly MissingProgram[]> {
  const missing: MissingProgram[] = [];
  for (const program of new Set(checks.map(({ cmd }) => cmd))) {
    if ((await findProgram(program, places)) !== null) continue;
    missing.push({ program, users: checks.filter(({ cmd }) => cmd === program).map(({ id }) => id) });
  }
  return missing;
}

/** Why the checks of a tick cannot be run, or null. A program in the repository may be what the tick is to make. */
export async function refuseMissingCheck(
  config: Config,
  repository: Repository /** Null where nobody has planned yet. */,
  task: Task | null /** The workflow's own. */,
  own: readonly Check[],
) {
  const path = repository.environment["PATH"];
  if (path === undefined) return null;
  const named = new Set([...(task?.verification?.fast ?? []), ...(task?.verification?.slow ?? [])]);
  const checks = [
    ...config.verification.templates.filter(({ id }) => named.has(id)),
    ...own.map(({ templateId: id, cmd }) => ({ id, cmd })),
  ].filter(({ cmd }) => cmd.startsWith("/") || !cmd.includes("/"));
  const [missing] = await listMissingCheckPrograms(checks, { path, cwd: repository.root });
  if (missing === undefined) return null;
  const message = `The program ${missing.program} was not found; ${missing.users.join(", ")} ${missing.users.length === 1 ? "needs" : "need"} it.`;
  return { code: "BLOCKED_MISSING_CONFIG", cause: "check_not_found", message } as const;
}
