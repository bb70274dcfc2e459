import { type Builder, CLASSES } from "./builder.ts";

const ONE_IN = 5;

/** A fifth of the builders of every class; another one for each turn. */
export function sampleFor(builders: readonly Builder[], turn: number): readonly Builder[] {
  return CLASSES.flatMap((name) =>
    builders.filter((builder) => builder.class === name).filter((_, place) => place % ONE_IN === (turn * 2) % ONE_IN),
  );
}
