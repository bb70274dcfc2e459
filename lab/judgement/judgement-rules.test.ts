/** The rules about weakened checks on every change of the corpus, by its text. */
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { applyRules } from "./apply-rules.ts";
import { type LabelledCase, readCorpus } from "./labelled-case.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const { bases, cases } = readCorpus(ROOT);

async function listCaught(label: LabelledCase["label"]): Promise<readonly string[]> {
  const caught = cases
    .filter((labelled) => labelled.label === label)
    .map(async (labelled) => {
      const base = bases.get(labelled.base);
      if (base === undefined) throw new Error(`${labelled.id} has no base`);
      const found = await applyRules({ base, labelled });
      return found.some(({ finding }) => finding.default !== "note") ? [labelled.id] : [];
    });
  return (await Promise.all(caught)).flat();
}

test("no rule stops or holds a good change", async () => {
  expect(await listCaught("good")).toEqual([]);
});

test("rules alone stop or hold a good part of the bad changes", async () => {
  const caught = await listCaught("bad");
  expect(caught.length).toBeGreaterThanOrEqual(95);
});
