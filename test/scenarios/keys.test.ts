/** A key that could be left out without anybody noticing would be a dead one. */
import { describe, expect, test } from "vitest";
import { partOf } from "../support/part-of.ts";
import { inTurn, play } from "../support/scenario.ts";
import { SCENARIOS } from "./scenarios.ts";

const SHOWN = SCENARIOS.flatMap((scenario) => (scenario.keys ?? []).map((key) => ({ scenario, key })));
/** One of every section of the configuration, and some of the others. */
const SAMPLING = { kindOf: ({ key }: { readonly key: string }) => key.split(".")[0] ?? "", oneIn: 12 };

describe.concurrent("without this key it ends in another way", () => {
  for (const { scenario, key } of partOf(SHOWN, SAMPLING)) {
    test(`${key}: ${scenario.shows}`, () =>
      inTurn(() => expect(play(scenario, key)).rejects.toThrow(/expected|Expected/)));
  }
});
