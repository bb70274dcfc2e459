import { BUILDER_CLASSES } from "../../src/core/drill/builder-class.ts";
import type { HostileBuilder } from "../../src/core/drill/hostile-builder.ts";

const ONE_IN = 5;

/** A fifth of the builders of every class; another one for each turn. */
export function sampleFor(builders: readonly HostileBuilder[], turn: number): readonly HostileBuilder[] {
  return BUILDER_CLASSES.flatMap((name) =>
    builders.filter((builder) => builder.class === name).filter((_, place) => place % ONE_IN === (turn * 2) % ONE_IN),
  );
}
