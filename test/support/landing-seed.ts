/**
 * What a landing draws of a long table. The seed is `RELAIS_SEED`, else the id of HEAD, else a fixed word where there is no
 * git: so each commit tries other entries, one commit always the same, and `RELAIS_SEED=SEED` repeats a draw.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";

export const LANDING_SEED = process.env["RELAIS_SEED"] ?? readHead() ?? "no-commit";

/** Set before the command that is to draw the same again. */
export const REPEAT = `RELAIS_SEED=${LANDING_SEED}`;

function readHead(): string | null {
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return null;
  }
}

/** A table in the order that the seed gives it. Another topic, another order. */
export function shuffle<T>(table: readonly T[], topic: string, seed = LANDING_SEED): readonly T[] {
  return table
    .map((entry, place) => ({ entry, key: createHash("sha256").update(`${seed}\0${topic}\0${place}`).digest("hex") }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ entry }) => entry);
}

/** So many entries of a table, in the order of the table. */
export function draw<T>(table: readonly T[], count: number, topic: string): readonly T[] {
  const drawn = new Set(shuffle([...table.keys()], topic).slice(0, count));
  return table.filter((_, place) => drawn.has(place));
}

interface KindDraw<T> {
  readonly kindOf: (entry: T) => string;
  readonly count: number;
  readonly topic: string;
}

/** So many entries of each kind, in the order of the table. */
export function drawOfEach<T>(table: readonly T[], { kindOf, count, topic }: KindDraw<T>): readonly T[] {
  const drawn = new Set(
    [...new Set(table.map(kindOf))].flatMap((kind) =>
      draw(
        table.filter((entry) => kindOf(entry) === kind),
        count,
        `${topic} ${kind}`,
      ),
    ),
  );
  return table.filter((entry) => drawn.has(entry));
}
