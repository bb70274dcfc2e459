import { writeRows } from "../../scripts/write-rows.ts";
import type { Part } from "../bench/write-page.ts";
import type { ChaosFound } from "./chaos.ts";

/** The headings of the page. */
export const TITLES = {
  small: "Small workers, shell scripts as jobs",
  real: "`relais worker`, whole ticks as jobs",
  fleet: "Small workers on a server of NATS JetStream",
} as const;

export function drawChaos(
  found: ChaosFound,
  { seed, isReal, isFleet }: { readonly seed: number; readonly isReal: boolean; readonly isFleet: boolean },
): Part {
  const only = isReal ? [] : drawSmall(found);
  const rows: readonly (readonly [string, string | number])[] = [
    ["workers killed alone", found.killedAlone],
    ["workers killed with their sessions", found.killedWithSessions],
    ["workers stopped past their lease", found.stopped],
    ...only,
    ["jobs", found.jobs],
    ["attempts", found.attempts],
    ["jobs cancelled as asked", found.cancelled],
    ["**lost jobs**", found.lost.length],
    ["**overlapping sessions of one key**", found.overlaps.length],
    ["**duplicate branches**", found.duplicates.length],
    ["**processes, mounts and folders left**", found.leftBehind.length],
  ];
  const table = writeRows(
    ["", "number"],
    rows.map(([title, value]) => [title, String(value)]),
  );
  const small = isFleet ? TITLES.fleet : TITLES.small;
  const title = isReal ? TITLES.real : small;
  return { title, text: `### ${title}\n\nSeed ${seed}, ${found.seconds} s.\n\n${table}` };
}

function drawSmall({
  fullDisks,
  clockJumps,
  serverKills,
}: ChaosFound): readonly (readonly [string, string | number])[] {
  return [
    serverKills === null
      ? ["full disks", fullDisks ?? "not tried: a small disk needs root"]
      : ["kills of the server", serverKills],
    ["jumps of the clock", clockJumps],
  ];
}

/** Everything that must not be, one line each. */
export function describeChaos({ lost, overlaps, duplicates, leftBehind, errors }: ChaosFound): readonly string[] {
  const problems = [
    ...lost.map((one) => `lost: ${one}`),
    ...overlaps.map((one) => `overlap: ${one}`),
    ...duplicates.map((one) => `duplicate: ${one}`),
    ...leftBehind.map((one) => `left: ${one}`),
  ];
  return problems.length > 0 && errors !== "" ? [...problems, `workers said:\n${errors}`] : problems;
}
