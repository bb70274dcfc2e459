/** The corpus itself: its documents, and the labels of a few cases. judgement-labels.test.ts proves all labels. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as v from "valibot";
import { expect, test } from "vitest";
import { BEFORE, CHANGE, IGNORED, LANGUAGES, type LabelledCase, listFiles, readCorpus } from "./labelled-case.ts";
import { countDecisions, listRows } from "./judgement-table.ts";
import { listPolicies } from "./policies.ts";
import { proveLabel } from "./prove-label.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const { bases, cases } = readCorpus(ROOT);
const count = (isCounted: (labelled: LabelledCase) => boolean): number => cases.filter(isCounted).length;

/** Good and bad, with programs that every machine has. */
const SAMPLE = [
  "bug-fix/js-new-test",
  "early-exit/js-exit-at-import",
  "changed-data/js-snapshot",
  "special-cases/sh-case-of-inputs",
  "weakened-tests/sh-or-echo",
  "fixed-check/sh-failing-test",
];

test("there are enough cases of both labels and of every language, and every base is used", () => {
  expect(count(({ label }) => label === "bad")).toBeGreaterThanOrEqual(60);
  expect(count(({ label }) => label === "good")).toBeGreaterThanOrEqual(30);
  for (const name of LANGUAGES) expect(count(({ language }) => language === name)).toBeGreaterThan(5);
  expect(new Set(cases.map(({ base }) => base))).toEqual(new Set(bases.keys()));
});

test("no change contains the held-out check of its case", () => {
  const leaks = cases.filter(({ sections, heldOut }) => {
    const texts = [CHANGE, BEFORE, IGNORED].flatMap((folder) => [...listFiles(sections, folder).values()]);
    return texts.some((text) => text.includes(heldOut) || text.includes("reached the end"));
  });
  expect(leaks.map(({ id }) => id)).toEqual([]);
});

test("a bad change without any file is a case of its own class", () => {
  const empty = cases.filter(
    ({ sections, deletes }) =>
      deletes === undefined && [CHANGE, IGNORED].every((folder) => listFiles(sections, folder).size === 0),
  );
  expect(empty.map(({ kind }) => kind).filter((kind) => kind !== "no-work")).toEqual([]);
});

test.concurrent.each(SAMPLE)("the label of %s holds", async (id) => {
  const labelled = cases.find((one) => one.id === id);
  const base = bases.get(labelled?.base ?? "");
  if (labelled === undefined || base === undefined) throw new Error(`${id} is missing`);
  expect(await proveLabel({ root: ROOT, base, labelled })).toEqual([]);
});

test("a label that does not hold is found", async () => {
  const labelled = cases.find(({ id }) => id === "no-work/js-nothing-while-green");
  const base = bases.get(labelled?.base ?? "");
  if (labelled === undefined || base === undefined) throw new Error("the case is missing");
  const faults = await proveLabel({ root: ROOT, base, labelled: { ...labelled, label: "good" } });
  expect(faults).toEqual(["the held-out check fails: not good"]);
});

test("the table counts wrong decisions by class and names them", async () => {
  const policies = listPolicies().filter(({ word }) => word === "trust" || word === "checks");
  const chosen = cases.filter(({ id }) => id === "docs/js-readme" || id === "no-work/js-nothing-while-green");
  const [good, bad] = chosen;
  const [, checks] = policies;
  if (good === undefined || bad === undefined || checks === undefined) throw new Error("a case is missing");
  const outcomes = [
    { policy: checks, labelled: good, isAccepted: false, reason: "test is red" },
    { policy: checks, labelled: bad, isAccepted: true, reason: "green" },
  ];
  const run = { policies: [checks], cases: chosen, outcomes };
  expect(countDecisions(run)).toEqual([
    { class: "no-work", label: "bad", cases: 1, wrong: { "checks only": 1 } },
    { class: "docs", label: "good", cases: 1, wrong: { "checks only": 1 } },
  ]);
  expect(listRows(run)).toEqual([
    {
      policy: "checks only",
      bad: { cases: 1, kept: 1, held: 0, refused: 0 },
      good: { cases: 1, kept: 0, held: 0, refused: 1 },
      wrong: {
        kept: ["no-work/js-nothing-while-green"],
        held: [],
        refused: [{ case: "docs/js-readme", reason: "test is red" }],
      },
    },
  ]);
});

test("a held change is neither kept nor refused", () => {
  const [policy] = listPolicies();
  const labelled = cases.find(({ id }) => id === "docs/js-readme");
  if (policy === undefined || labelled === undefined) throw new Error("a case is missing");
  const outcomes = [{ policy, labelled, isAccepted: false, reason: "STOP_SUSPECT" }];
  const [row] = listRows({ policies: [policy], cases: [labelled], outcomes });
  expect(row).toMatchObject({ good: { held: 1, refused: 0 }, wrong: { held: ["docs/js-readme"], refused: [] } });
});

const readData = (name: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, name), "utf8"));

test("every class is described, and what was measured is of this corpus", () => {
  const described = v.parse(v.array(v.looseObject({ class: v.string() })), readData("classes.json"));
  const kinds = new Set(cases.map(({ kind }) => kind));
  expect(described.map((one) => one.class).toSorted()).toEqual([...kinds].toSorted());
  const Row = v.looseObject({ wrong: v.looseObject({ kept: v.array(v.string()), held: v.array(v.string()) }) });
  const known = new Set(cases.map(({ id }) => id));
  for (const { wrong } of v.parse(v.array(Row), readData("measured.json")))
    expect([...wrong.kept, ...wrong.held].filter((id) => !known.has(id))).toEqual([]);
});
