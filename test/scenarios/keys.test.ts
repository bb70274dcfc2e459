/** A key that could be left out without anybody noticing would be a dead one. */
import { describe, expect, test } from "vitest";
import { useExecutable } from "../support/relais.ts";
import { inTurn, play } from "../support/scenario.ts";
import { SCENARIOS } from "./scenarios.ts";

useExecutable();

describe.concurrent("without this key it ends in another way", () => {
  for (const scenario of SCENARIOS) {
    for (const key of scenario.keys ?? []) {
      test(`${key}: ${scenario.shows}`, () =>
        inTurn(() => expect(play(scenario, key)).rejects.toThrow(/expected|Expected/)));
    }
  }
});
