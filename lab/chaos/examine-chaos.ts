/** What became of a chaos run. */
import { existsSync, readFileSync } from "node:fs";
import type { Chaos, ChaosFound } from "./chaos.ts";
import { listMarked } from "./chaos-workers.ts";
import { isMounted } from "./small-disk.ts";

type Examined = Omit<ChaosFound, "leftBehind" | "seconds">;

export async function examineChaos(chaos: Chaos): Promise<Examined> {
  const { counts, crew, disk, engine, places, submitted, errors } = chaos;
  const views = [...chaos.views.values()];
  return {
    jobs: submitted.length,
    attempts: views.reduce((sum, { attempt }) => sum + attempt, 0),
    killedAlone: counts.alone,
    killedWithSessions: counts.all,
    stopped: counts.stops,
    fullDisks: disk === null ? null : counts.disks,
    clockJumps: counts.jumps,
    serverKills: chaos.server === null ? null : counts.servers,
    cancelled: views.filter(({ phase }) => phase === "cancelled").length,
    lost: submitted.flatMap((id) => explainLost(chaos, id)),
    overlaps: readLines(places.overlaps),
    duplicates: await crew.findDuplicates(views, engine),
    errors,
  };
}

/** A job that did not end, or not as it had to. */
function explainLost({ views, cancels, dependents }: Chaos, id: string): readonly string[] {
  const view = views.get(id);
  if (view === undefined) return [`${id} is unknown`];
  const mayBeCancelled = cancels.has(id) || dependents.has(id);
  if (view.phase === "done" || (view.phase === "cancelled" && mayBeCancelled)) return [];
  return [`${id} is ${view.phase}: ${view.result?.summary ?? view.waitsFor ?? ""}`];
}

export function listLeftBehind({ marker, places }: Chaos): readonly string[] {
  return [
    ...listMarked(marker, places.folder).map((pid) => `process ${pid}`),
    ...(isMounted(places.disk) ? [`mount ${places.disk}`] : []),
    ...(existsSync(places.folder) ? [`folder ${places.folder}`] : []),
  ];
}

export function readLines(path: string): readonly string[] {
  return readFileSync(path, "utf8").split("\n").filter(Boolean);
}
