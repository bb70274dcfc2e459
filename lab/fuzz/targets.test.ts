import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mutate } from "./mutate.ts";
import { makeRandom } from "../../scripts/random.ts";
import { shrink } from "./shrink.ts";
import { PROPERTY_TIMEOUT_MS, runs, SEED } from "../../test/support/runs.ts";
import { TARGETS } from "./targets.ts";

function readInputs(kind: "corpus" | "cases", name: string): readonly Buffer[] {
  const folder = join(import.meta.dirname, kind, name);
  return existsSync(folder) ? readdirSync(folder).map((file) => readFileSync(join(folder, file))) : [];
}

test.each(TARGETS)(
  "$name: every property holds for the kept inputs and for some new ones",
  async ({ name, seeds, words = [], generate, repair = (data) => data, check, close }) => {
    const kept = readInputs("corpus", name);
    expect(kept.length).toBeGreaterThan(10);
    const corpus = [...seeds(), ...kept, ...readInputs("cases", name)];
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

test("every folder of the corpus belongs to a parser", () => {
  const names = new Set(TARGETS.map(({ name }) => name));
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
