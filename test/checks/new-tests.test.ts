/** New tests are tried on the code from before the build. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RuleSetting } from "../../src/base/check-rules.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import type { Check } from "../../src/checks/pure/verification-plan.ts";
import { openContentStore } from "../../src/store/content-store.ts";
import { findRepository } from "../../src/git/repository-layout.ts";
import { planStages } from "../../src/checks/pure/stages.ts";
import { runChecks } from "../../src/checks/run-checks.ts";
import { verifyChange } from "../../src/checks/verify.ts";
import { asksForFewerTests, asksForProof } from "../../src/judge/pure/asked-work.ts";
import { rules } from "../support/evidence.ts";
import { place } from "../support/workplace.ts";

const TEST = (name: string, value: number): string =>
  `import assert from "node:assert";\nimport { test } from "node:test";\nimport { f } from "../src/f.mjs";\ntest("${name}", () => assert.equal(f(), ${value}));\n`;

interface Work {
  readonly task: string;
  /** What the function answers after the build, and what the new test expects. */
  readonly answer: number;
  readonly expected: number;
  readonly setting?: RuleSetting;
}

async function verify({ task, answer, expected, setting }: Work) {
  const repo = place();
  const repository = await findRepository(repo.root, process.env);
  const config = parseConfig({});
  if (repository.kind !== "repository" || config.kind !== "valid") throw new Error("the fixture is broken");
  const runDirectory = join(repo.state, "run");
  mkdirSync(runDirectory, { mode: 0o700 });
  const workplace = await repo.open();
  repo.write("src/f.mjs", "export const f = () => 1;\n");
  repo.write("test/f.test.mjs", TEST("a number", 1).replace("f(), 1", "typeof f(), 'number'"));
  const run = {
    repository,
    stateDirectory: runDirectory,
    folder: runDirectory,
    marker: "test-new-tests",
    config: config.value,
    place: workplace.place,
    change: workplace.change,
    sandbox: null,
    store: await openContentStore(repo.state, process.env),
    signal: new AbortController().signal,
    deadlineAt: Date.now() + 120_000,
  };
  const stopCode = "STOP_VERIFY_FAILED_FAST" as const;
  const args = ["--test", "--test-reporter=tap", "test/"];
  const check: Check = { templateId: "t", phase: "fast", cmd: process.execPath, args, timeoutSeconds: 60, stopCode };
  await workplace.change.prepare();
  const { runs: base } = await runChecks(run, { name: "base", checks: [check], base: null, inherits: false });
  repo.write("src/f.mjs", `export const f = () => ${answer};\n// Built.\n`);
  repo.write("test/new.test.mjs", TEST("new", expected));
  const set = setting === undefined ? {} : { passes_without_change: setting };
  const weakening = { test_globs: ["test/**"], settings_globs: [], rules: set, task_text: task };
  const candidate = await workplace.change.collect(rules({ weakening }));
  const oracle = candidate.evidence.changes.filter(({ path }) => path === "test/new.test.mjs");
  const stages = planStages({
    evidence: candidate.evidence,
    checks: [check],
    pinned: { oracle, ignored: [] },
    heldOut: { checks: [], files: [], hidden: [] },
    committed: new Map(),
    base,
    inherits: false,
    hasSetup: false,
    outlivesRed: false,
    asks: { otherTests: false, changedTests: false, fewerTests: asksForFewerTests(task), proof: asksForProof(task) },
  });
  return verifyChange(run, candidate, stages);
}

const FIX = "f() of src/f.mjs must answer 2. Add a test.";
const SAYS = /1 new test passes without the change, too: `new`/u;

test("a new test that fails without the change is fine", async () => {
  expect(await verify({ task: FIX, answer: 2, expected: 2 })).toMatchObject({
    code: null,
    findings: [],
    runs: [{ old_code_ms: expect.any(Number) }, { oracle: "base" }],
  });
});

test("a new test that passes without the change is a finding where other behaviour and a test are asked for", async () => {
  const answer = await verify({ task: FIX, answer: 1, expected: 1 });
  expect(answer).toMatchObject({ code: "STOP_SUSPECT", cause: "passes_without_change" });
  expect(answer.kind === "verified" && answer.findings[0]?.rule).toMatch(SAYS);
});

test("it is a note where the behaviour stays, no test is asked for, or the rule says so", async () => {
  const untested = await verify({ task: "f() of src/f.mjs must answer 2.", answer: 1, expected: 1 });
  const same = await verify({ task: "Refactor f() of src/f.mjs. Add a test.", answer: 1, expected: 1 });
  const allowed = await verify({ task: FIX, answer: 1, expected: 1, setting: "note" });
  for (const answer of [same, untested, allowed]) {
    expect(answer).toMatchObject({ code: null });
    expect(answer.kind === "verified" && answer.notes.join("\n")).toMatch(SAYS);
  }
});
