/** What became of a chaos run. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import type { JobView } from "../../src/contract/queue/engine.ts";
import type { Chaos, ChaosFound } from "./chaos.ts";
import type { ChaosPlaces } from "./chaos-places.ts";
import { listMarked } from "./chaos-workers.ts";
import { isMounted } from "./small-disk.ts";

type Examined = Omit<ChaosFound, "leftBehind" | "seconds">;

export function examineChaos(chaos: Chaos, views: readonly JobView[]): Examined {
  const { counts, disk, places, submitted, errors } = chaos;
  return {
    jobs: submitted.length,
    attempts: views.reduce((sum, { attempt }) => sum + attempt, 0),
    killedAlone: counts.alone,
    killedWithSessions: counts.all,
    stopped: counts.stops,
    fullDisks: disk === null ? null : counts.disks,
    clockJumps: counts.jumps,
    cancelled: views.filter(({ phase }) => phase === "cancelled").length,
    lost: submitted.flatMap((id) => explainLost(chaos, id)),
    overlaps: readLines(places.overlaps),
    duplicates: findDuplicates(places, views, readLines(places.made)),
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

/** Branches that were made twice, or that are not the recorded ones. */
function findDuplicates({ repository }: ChaosPlaces, views: readonly JobView[], made: readonly string[]): string[] {
  const refs = execFileSync("git", ["-C", repository, "for-each-ref", "--format=%(refname) %(objectname)"], {
    encoding: "utf8",
  });
  const commits = new Map(
    refs
      .split("\n")
      .filter((line) => line.startsWith("refs/heads/relais/"))
      .map((line) => [line.split(" ")[0]?.slice("refs/heads/relais/".length) ?? "", line.split(" ")[1] ?? ""]),
  );
  const names = made.map((line) => line.split(" ")[0] ?? "");
  const twice = names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name} was made twice`);
  const wrong = views
    .filter(({ id, phase, result }) => phase === "done" && commits.get(id) !== result?.commit)
    .map(({ id }) => `${id} has another branch than its record`);
  return [...twice, ...wrong];
}

export function listLeftBehind({ marker, places }: Chaos): readonly string[] {
  return [
    ...listMarked(marker).map((pid) => `process ${pid}`),
    ...(isMounted(places.disk) ? [`mount ${places.disk}`] : []),
    ...(existsSync(places.folder) ? [`folder ${places.folder}`] : []),
  ];
}

function readLines(path: string): readonly string[] {
  return readFileSync(path, "utf8").split("\n").filter(Boolean);
}
