/**
 * A key that could be left out without anybody noticing would be a dead one. A sample of them is tried; with
 * RELAIS_KEYS=all it is every one.
 */
import { describe, expect, test } from "vitest";
import { inTurn, play } from "../support/scenario.ts";
import { SCENARIOS } from "./scenarios.ts";

const IS_WHOLE = process.env["RELAIS_KEYS"] === "all";
const STEP = 4;
const SHOWN = SCENARIOS.flatMap((scenario) => (scenario.keys ?? []).map((key) => ({ scenario, key })));

describe.concurrent("without this key it ends in another way", () => {
  for (const { scenario, key } of SHOWN.filter((_, place) => IS_WHOLE || place % STEP === 0)) {
    test(`${key}: ${scenario.shows}`, () =>
      inTurn(() => expect(play(scenario, key)).rejects.toThrow(/expected|Expected/)));
  }
});
