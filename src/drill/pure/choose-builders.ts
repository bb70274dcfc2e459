import { mayWorkIn } from "./drill-config.ts";
import type { DrillPlace } from "./drill-result.ts";
import { BUILDER_CLASSES } from "./builder-class.ts";
import type { HostileBuilder } from "./hostile-builder.ts";

export interface Turn {
  readonly builder: HostileBuilder;
  readonly place: DrillPlace;
}

/**
 * Every builder in every workplace, in an order whose beginning is a fair sample: all classes take turns, and a builder
 * comes back in another workplace only after all others had their first turn.
 */
export function listTurns(builders: readonly HostileBuilder[], places: readonly DrillPlace[]): readonly Turn[] {
  const mixed = takeTurns(BUILDER_CLASSES.map((name) => builders.filter((builder) => builder.class === name)));
  return places.flatMap((_, round) =>
    mixed.flatMap((builder, index) => {
      const place = places[(index + round) % places.length];
      return place === undefined || !mayWorkIn(builder, place) ? [] : [{ builder, place }];
    }),
  );
}

function takeTurns(lists: readonly (readonly HostileBuilder[])[]): readonly HostileBuilder[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
}
