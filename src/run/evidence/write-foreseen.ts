/**
 * Writes a foreseen observation with the means of a rollback, and proves it in the same way: a fresh
 * observation must equal the judged one. Everything else throws, and the tick is rolled back.
 */
import type { Observation } from "../../contract/evidence/manifest.ts";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { planRestoration } from "../../core/observation/restoration-plan.ts";
import { toBytePath } from "../../io/files/byte-path.ts";
import { readClockMs } from "../../io/machine/clock.ts";
import { restore } from "../../io/content/restore.ts";
import { listChangedPaths, type Rollback } from "./put-back.ts";

export async function writeForeseen(
  { repository, store, before, look }: Rollback,
  foreseen: Observation,
): Promise<Observation> {
  demandNone("it changed while the patch was judged", listChangedPaths(before, await look(before, false)));
  const plan = planRestoration(foreseen.worktree, before.worktree);
  const stamp = `0:${readClockMs()}000000:0`;
  // A folder with a new file has new times, unlike one that was restored.
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
