/**
 * Makes a foreseen observation real, by the same means that put a repository back, and proves it in the same way: a fresh
 * observation must equal the one that was judged. Whatever else happens throws, and the tick is put back.
 */
import type { Observation } from "../../contract/evidence/manifest.ts";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { planRestoration } from "../../core/observation/restoration-plan.ts";
import { toBytePath } from "../../io/files/byte-path.ts";
import { readClockMs } from "../../io/machine/clock.ts";
import { restore } from "../../io/content/restore.ts";
import { listChangedPaths, type Rollback } from "./put-back.ts";

/** Answers with the observation of what lies there now. */
export async function writeForeseen(
  { repository, store, before, look }: Rollback,
  foreseen: Observation,
): Promise<Observation> {
  demandNone("it changed while the patch was judged", listChangedPaths(before, await look(before, false)));
  const plan = planRestoration(foreseen.worktree, before.worktree);
  const stamp = `0:${readClockMs()}000000:0`;
  // A folder in which something was written has changed, unlike one in which everything was put back.
  const settle = plan.settle.map(({ path, entry }) => ({
    path,
    entry: entry.type === "directory" ? { ...entry, stamp } : entry,
  }));
  await restore({ folder: toBytePath(repository.root), store, plan: { ...plan, settle } });
  const now = await look(before, true);
  demandNone("it is not what was judged", listChangedPaths(foreseen, now));
  return now;
}

function demandNone(trouble: string, paths: readonly string[]): void {
  if (paths.length === 0) return;
  throw new MeasurementError("the worktree", `${trouble}: ${paths.slice(0, 5).join(", ")}`);
}
