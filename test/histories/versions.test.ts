/** The version of the records: what it stands for, and that old evidence is judged by old rules. */
import { expect, test } from "vitest";
import type { Judgement } from "../../src/contract/evidence/judgement.ts";
import { RECORD_VERSION } from "../../src/contract/values/record-version.ts";
import type { Gate } from "../../src/core/judge/gate.ts";
import { judge, type RuleSet } from "../../src/core/judge/judge.ts";
import { JUDGED, presentFingerprints, VERSIONS } from "./fingerprints.ts";

function helpFor(released: string | null): string {
  return [
    "An event, the evidence or a rule has changed, and the version of the records has not.",
    released === null
      ? `Version ${RECORD_VERSION} is not released yet: write these fingerprints into test/histories/versions.json.`
      : `Version ${RECORD_VERSION} was released with ${released}: raise RECORD_VERSION in src/contract/values/record-version.ts, and add these fingerprints to test/histories/versions.json.`,
    'CONTRIBUTING.md has a recipe: "Change an event or a rule".',
    JSON.stringify(presentFingerprints(), null, 2),
  ].join("\n");
}

test("the schemas and the rules are those of the version", () => {
  const recorded = VERSIONS[String(RECORD_VERSION)];
  const { released = null, ...fingerprints } = recorded ?? {};
  const present = presentFingerprints();
  if (JSON.stringify(fingerprints) !== JSON.stringify(present)) throw new Error(helpFor(released));
  expect(fingerprints).toEqual(present);
});

test("there is an entry for every version up to this one, and only the last may be unreleased", () => {
  const numbers = Object.keys(VERSIONS).map(Number);
  expect(numbers).toEqual(Array.from({ length: RECORD_VERSION }, (_, index) => index + 1));
  expect(numbers.filter((number) => VERSIONS[number]?.released === null && number < RECORD_VERSION)).toEqual([]);
});

/** What decides. Sentences for people may be worded anew. */
function decided(judgement: Judgement): object {
  const { findings, notes: _, ...rest } = judgement;
  return { ...rest, findings: findings.map(({ rule: _rule, ...finding }) => finding) };
}

test("evidence of every earlier version is judged as that version judged it", () => {
  for (const { evidence, judgement } of JUDGED) expect(decided(judge(evidence))).toEqual(decided(judgement));
});

test("every gate has refused some of that evidence", () => {
  const gates = new Set(JUDGED.flatMap(({ judgement }) => judgement.findings.map(({ gate }) => gate)));
  expect([...gates].toSorted()).toEqual([
    "allowed-scope",
    "builder-failure",
    "diff-size",
    "forbidden-scope",
    "git-metadata",
    "head-moved",
    "ignored-files",
    "lockfiles",
    "new-files",
    "runner-owned",
    "task-kind",
    "unsafe-path",
  ]);
});

test("a rule of a new version does not change the judgement of older evidence", () => {
  const strict: Gate = {
    id: "strict",
    refuse: () => [{ code: "STOP_UNSAFE_PATH", subject: "all", rule: "Nothing passes.", glob: null }],
  };
  const lenient: RuleSet = {
    since: 1,
    gates: [],
    notes: () => [],
    measure: () => ({ files_touched: 0, lines_added: 0, lines_deleted: 0, new_files: 0 }),
  };
  const sets = [lenient, { ...lenient, since: 2, gates: [strict] }];
  for (const { evidence } of JUDGED) {
    expect(judge({ ...evidence, version: 1 }, sets).verdict).toBe("success");
    expect(judge({ ...evidence, version: 2 }, sets)).toMatchObject({
      verdict: "stop",
      code: "STOP_UNSAFE_PATH",
    });
  }
});
