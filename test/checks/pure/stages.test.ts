import { expect, test } from "vitest";
import { addStage, findDue, PASSED, type StageEnd } from "../../../src/checks/pure/stage-ends.ts";
import { planStages } from "../../../src/checks/pure/stages.ts";
import type { Check } from "../../../src/checks/pure/verification-plan.ts";
import type { Change } from "../../../src/records/evidence.ts";
import type { VerificationRun } from "../../../src/records/report.ts";
import { change, evidence, rules } from "../../support/evidence.ts";

const check = (templateId: string, own: Partial<Check> = {}): Check => {
  const stopCode = "STOP_VERIFY_FAILED_FAST";
  return { templateId, phase: "fast", cmd: "true", args: [], timeoutSeconds: 1, stopCode, ...own };
};

const CHANGES = {
  code: change("src/a.ts"),
  test: change("test/a.test.ts"),
  manifest: change("package.json"),
  ignored: change("dist/a.js", { standing: "ignored" }),
};
const WEAKENING = { test_globs: ["test/**"], settings_globs: [], rules: {} };

interface Asked {
  readonly oracle?: readonly Change[];
  readonly ignored?: readonly Change[];
  readonly hasSetup?: boolean;
  readonly hidden?: readonly Check[];
  readonly weakening?: typeof WEAKENING & { readonly rules: { readonly passes_without_change?: "stop" | "off" } };
  readonly wantsOtherTests?: boolean;
  readonly wantsChangedTests?: boolean;
}

function plan({ oracle = [], ignored = [], hidden = [], weakening = WEAKENING, ...asked }: Asked = {}) {
  return planStages({
    evidence: evidence(Object.values(CHANGES), { rules: rules({ weakening }) }),
    checks: [check("unit"), check("guard", { once: true })],
    pinned: { oracle, ignored },
    heldOut: { checks: hidden, files: [], hidden: [CHANGES.ignored] },
    committed: new Map(),
    base: [],
    inherits: true,
    hasSetup: asked.hasSetup ?? false,
    outlivesRed: false,
    asks: {
      otherTests: asked.wantsOtherTests ?? false,
      changedTests: asked.wantsChangedTests ?? false,
      fewerTests: true,
      proof: true,
    },
  });
}

const PINNED = { oracle: [CHANGES.test, CHANGES.manifest] };

test.each<[string, Asked, readonly string[]]>([
  ["a change of code alone", {}, ["change"]],
  ["ignored files of the builder", { ignored: [CHANGES.ignored] }, ["change", "ignored"]],
  ["a setup", { hasSetup: true }, ["change", "ignored"]],
  ["changed tests", PINNED, ["change", "old_tests", "new_tests"]],
  ["tests that a person wants changed", { ...PINNED, wantsOtherTests: true }, ["change", "old_tests"]],
  [
    "a rule that is off",
    { ...PINNED, weakening: { ...WEAKENING, rules: { passes_without_change: "off" } } },
    ["change", "old_tests"],
  ],
  ["a check that no agent sees", { hidden: [check("secret")] }, ["change", "held_out"]],
  [
    "all of it",
    { ...PINNED, ignored: [CHANGES.ignored], hidden: [check("secret")] },
    ["change", "ignored", "old_tests", "new_tests", "held_out"],
  ],
])("the stages of %s", (_, asked, names) => {
  expect(plan(asked).map(({ name }) => name)).toEqual(names);
});

test("each stage hides its own part of the change, and only the change itself runs what runs once", () => {
  const stages = plan({ ...PINNED, ignored: [CHANGES.ignored], hidden: [check("secret")] });
  const shown = stages.map(({ name, hidden, checks }) => [
    name,
    hidden.map(({ path }) => path),
    checks.map(({ templateId }) => templateId),
  ]);
  expect(shown).toEqual([
    ["change", ["dist/a.js"], ["unit", "guard"]],
    ["ignored", [], ["unit", "guard"]],
    ["old_tests", ["test/a.test.ts", "package.json", "dist/a.js"], ["unit"]],
    ["new_tests", ["src/a.ts", "dist/a.js"], ["unit"]],
    ["held_out", ["dist/a.js"], ["secret"]],
  ]);
  expect(stages.filter(({ isTrial }) => !isTrial)).toEqual([]);
});

const ended = (exit_code: number, own: Partial<VerificationRun> = {}): StageEnd => {
  const known = { template_id: "unit", phase: "fast", cmd: "true", duration_ms: 5, timed_out: false } as const;
  const run: VerificationRun = { ...known, args: [], exit_code, ...own };
  const failed = exit_code === 0 ? null : { check: check("unit"), cause: `exit_${exit_code}` };
  return { runs: [run], failed, excess: null, aftermath: null };
};

/** Plays the stages that are due, each with its end. */
function play(asked: Asked, ends: Readonly<Record<string, StageEnd>>) {
  const played: string[] = [];
  let found = PASSED;
  for (const planned of plan(asked)) {
    const stage = findDue(planned, found);
    if (stage === null) continue;
    played.push(stage.name);
    found = addStage(found, stage, ends[stage.name] ?? ended(0, { state: "passed" }));
  }
  return { played, ...found };
}

test("where a person asked for other tests, old ones that fail hold the change, and later findings join them", () => {
  const asked = { ...PINNED, wantsChangedTests: true };
  const found = play(asked, { old_tests: ended(1) });
  expect(found).toMatchObject({
    code: "STOP_SUSPECT",
    cause: "old_tests_asked",
    findings: [{ gate: "old-oracle", code: "STOP_SUSPECT", subject: "unit" }, { gate: "passes-without-change" }],
    runs: [{}, { oracle: "base", state: "asked" }],
  });
  const setup = { ...ended(1), failed: { check: check("unit"), cause: "setup_failed" } };
  expect(play(asked, { old_tests: setup })).toMatchObject({ code: "STOP_VERIFY_FAILED_FAST", cause: "setup_failed" });
});

const ALL = { ...PINNED, ignored: [CHANGES.ignored], hidden: [check("secret")] };

test.each<[string, string, object]>([
  [
    "change",
    "exit_1",
    { played: ["change", "ignored"], cause: "ignored_oracle", findings: [{ gate: "ignored-oracle" }] },
  ],
  [
    "old_tests",
    "exit_1",
    { played: ["change", "old_tests"], cause: "base_oracle_red", findings: [{ gate: "old-oracle" }] },
  ],
  ["held_out", "setup_failed", { cause: "setup_failed", findings: [{ gate: "held-out" }] }],
  ["held_out", "exit_1", { cause: "held_out_red", runs: [{}, { oracle: "base" }, {}] }],
])("the first stage that fails decides (%s, %s)", (name, cause, found) => {
  const end = { ...ended(1), failed: { check: check("unit"), cause } };
  const passesOnOldCode = { new_tests: ended(1) };
  expect(play(ALL, { ...passesOnOldCode, [name]: end })).toMatchObject({ code: "STOP_VERIFY_FAILED_FAST", ...found });
});

test("new tests that pass on the old code are a finding, unless a check proves the work or the checks are slow", () => {
  expect(play(PINNED, {})).toMatchObject({
    code: "STOP_SUSPECT",
    runs: [{ old_code_ms: 5 }, { oracle: "base" }],
  });
  expect(play(PINNED, { change: ended(0, { state: "mended" }) })).toMatchObject({
    code: null,
    notes: [/without the change/u],
  });
  expect(play(PINNED, { change: ended(0, { duration_ms: 60_001 }) }).played).toEqual(["change", "old_tests"]);
});
