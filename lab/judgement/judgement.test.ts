/** The corpus itself: its documents, and the labels of a few cases. judgement-labels.test.ts proves all labels. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { LANGUAGES, type LabelledCase, HELD_OUT, readCorpus } from "./labelled-case.ts";
import { drawDecisions, listWrong } from "./judgement-table.ts";
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

test("every case has a held-out check that its change cannot contain", () => {
  const without = cases.filter(({ folder }) => !existsSync(join(folder, HELD_OUT)));
  expect(without.map(({ id }) => id)).toEqual([]);
  const leaks = cases.filter(({ folder, writes = {} }) => {
    const heldOut = readFileSync(join(folder, HELD_OUT), "utf8");
    const texts = [
      ...listTexts(join(folder, "change")),
      ...listTexts(join(folder, "before")),
      ...Object.values(writes),
    ];
    return texts.some((text) => text.includes(heldOut) || text.includes("reached the end"));
  });
  expect(leaks.map(({ id }) => id)).toEqual([]);
});

function listTexts(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"));
}

test("a bad change without any file is a case of its own class", () => {
  const empty = cases.filter(
    ({ folder, deletes, writes }) =>
      !existsSync(join(folder, "change")) && deletes === undefined && writes === undefined,
  );
  expect(empty.map(({ kind }) => kind).filter((kind) => kind !== "no-work")).toEqual([]);
});

test("git keeps every file of the corpus", () => {
  const ignored = execFileSync("git", ["ls-files", "--others", "--ignored", "--exclude-standard", "lab/judgement"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  expect(ignored).toBe("");
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
  expect(drawDecisions(run)).toBe(
    [
      "| class | label | cases | checks only |",
      "| --- | --- | ---: | ---: |",
      "| no-work | bad | 1 | 1 |",
      "| **bad let through** | bad | 1 | 1 |",
      "| docs | good | 1 | 1 |",
      "| **good refused** | good | 1 | 1 |",
    ].join("\n"),
  );
  expect(listWrong(run)).toContain(
    "- let through: no-work/js-nothing-while-green\n- refused: docs/js-readme (test is red)",
  );
});
