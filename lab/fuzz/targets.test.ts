import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { expect, test } from "vitest";
import { readKept } from "./kept-inputs.ts";
import { mutate } from "./mutate.ts";
import { makeRandom } from "../../scripts/random.ts";
import { shrink } from "./shrink.ts";
import { PROPERTY_TIMEOUT_MS, runs, SEED } from "../../test/support/runs.ts";
import { TARGETS } from "./targets.ts";

test.each(TARGETS)(
  "$name: every property holds for the kept inputs and for some new ones",
  async ({ name, seeds, words = [], generate, repair = (data) => data, check, close }) => {
    const kept = readKept("corpus", name);
    expect(kept.length).toBeGreaterThan(10);
    const corpus = [...seeds(), ...kept, ...readKept("cases", name)];
    const random = makeRandom(SEED ?? Date.now());
    try {
      for (const data of corpus) await check(data);
      for (let count = runs(500, 50).numRuns; count > 0; count -= 1)
        await check(repair(mutate({ random, corpus, words, generate })));
    } finally {
      await close?.();
    }
  },
  PROPERTY_TIMEOUT_MS,
);

test("every target is described", () => {
  const Described = v.array(v.looseObject({ targets: v.array(v.string()) }));
  const text = readFileSync(join(import.meta.dirname, "targets.json"), "utf8");
  const described = v.parse(Described, JSON.parse(text)).flatMap(({ targets }) => targets);
  expect(new Set(described)).toEqual(new Set(TARGETS.map(({ name }) => name)));
});

test("every document of the corpus belongs to a parser", () => {
  const names = new Set(TARGETS.map(({ name }) => `${name}.txt`));
  expect(readdirSync(join(import.meta.dirname, "corpus")).filter((name) => !names.has(name))).toEqual([]);
});

function make(seed: number): readonly string[] {
  const material = { random: makeRandom(seed), corpus: [Buffer.from('{"a":[1,2]}\nb')], words: ["w"] };
  return Array.from({ length: 50 }, () => mutate(material).toString("latin1"));
}

test("the same seed makes the same inputs", () => {
  expect(make(7)).toEqual(make(7));
  expect(make(8)).not.toEqual(make(7));
  expect(new Set(make(7)).size).toBeGreaterThan(30);
});

test("a failing input is cut down to what matters", async () => {
  const data = Buffer.from(`${"x".repeat(300)}bad${"y".repeat(300)}`);
  expect((await shrink(data, (smaller) => smaller.includes("bad"))).toString()).toBe("bad");
});
