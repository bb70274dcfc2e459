import { writeRows } from "../write-rows.ts";
import type { ChaosFound } from "./chaos.ts";

export function drawChaos(found: ChaosFound, seed: number): string {
  const rows: readonly (readonly [string, string | number])[] = [
    ["workers killed alone", found.killedAlone],
    ["workers killed with their sessions", found.killedWithSessions],
    ["workers stopped past their lease", found.stopped],
    ["full disks", found.fullDisks ?? "not tried: a small disk needs root"],
    ["jumps of the clock", found.clockJumps],
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
  return `Seed ${seed}, ${found.seconds} s.\n\n${table}`;
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
