/** Every label of the corpus, proven by its held-out check. A case whose program is missing here is skipped. */
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { findMissingPrograms } from "./find-programs.ts";
import { readCorpus } from "./labelled-case.ts";
import { proveLabel } from "./prove-label.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const corpus = readCorpus(ROOT);
const missing = await findMissingPrograms(corpus);

const proofs = corpus.cases.flatMap((labelled) => {
  const base = corpus.bases.get(labelled.base);
  return base === undefined
    ? []
    : [{ id: labelled.id, labelled, base, without: missing.find((one) => base.needs.includes(one)) }];
});

test("every case has a base", () => {
  expect(proofs.length).toBe(corpus.cases.length);
});

for (const { id, labelled, base, without } of proofs)
  test.skipIf(without !== undefined)(`the label of ${id} holds`, { concurrent: true }, async () => {
    expect(await proveLabel({ root: ROOT, base, labelled })).toEqual([]);
  });
