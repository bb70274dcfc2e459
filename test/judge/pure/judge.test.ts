import fc from "fast-check";
import * as v from "valibot";
import { expect, test } from "vitest";
import { Evidence } from "../../../src/records/evidence.ts";
import { Judgement } from "../../../src/records/judgement.ts";
import { judge } from "../../../src/judge/pure/judge.ts";
import { arbitraryChange, arbitraryEvidence, arbitraryMetadata } from "../../support/arbitrary-evidence.ts";
import { added, change, evidence, rules } from "../../support/evidence.ts";
import { runs } from "../../support/runs.ts";

/** The order of the gates as policy states it, written out once more so that a slip in the list shows. */
const ORDER = [
  ["STOP_BUILDER_TIMEOUT", "STOP_INTERRUPTED"],
  ["STOP_HEAD_MOVED"],
  ["STOP_GIT_METADATA_MUTATION"],
  ["STOP_RUNNER_OWNED_MUTATION"],
  ["STOP_QUESTION_SIDE_EFFECTS", "STOP_VERIFY_ONLY_SIDE_EFFECTS"],
  ["STOP_UNSAFE_PATH"],
  ["STOP_SCOPE_VIOLATION_FORBIDDEN"],
  ["STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED"],
  ["STOP_SCOPE_VIOLATION_NEW_FILE"],
  ["STOP_LOCKFILE_CHANGE_FORBIDDEN"],
  ["STOP_IGNORED_MUTATION"],
  ["STOP_DIFF_TOO_LARGE"],
];
const sorted = (findings: readonly object[]) => findings.map((finding) => JSON.stringify(finding)).toSorted();
const rank = (code: string) => ORDER.findIndex((codes) => codes.includes(code));

test("doing nothing passes", () => {
  expect(judge(evidence([]))).toEqual({
    verdict: "success",
    code: "SUCCESS",
    cause: null,
    findings: [],
    notes: [],
    blast_radius: { files_touched: 0, lines_added: 0, lines_deleted: 0, new_files: 0 },
  });
});

test("an honest change in scope passes", () => {
  const judgement = judge(evidence([change("src/a.ts"), added("src/b c.ts"), change("src/old", { after: null })]));
  expect(judgement).toMatchObject({ code: "SUCCESS", blast_radius: { files_touched: 3, new_files: 1 } });
});

test("a change that offends every gate is told by every gate, in order", () => {
  const judgement = judge(
    evidence(
      [{ ...added("relais/.env/package-lock.json"), made_readable: true }, change("cache/x", { standing: "ignored" })],
      {
        builder_failure: { code: "STOP_BUILDER_TIMEOUT", cause: "deadline" },
        head: { before: { text: "a", commit: null }, after: { text: "b", commit: null } },
        metadata: [{ area: "config", subject: "config", change: "modified", detail: null }],
        rules: rules({
          task_kind: "question",
          forbidden_globs: ["**/.env"],
          allow_new_files: false,
          ignored: "forbid",
          max_files_touched: 0,
        }),
      },
    ),
  );
  const ranks = judgement.findings.map(({ code }) => rank(code));
  expect(judgement.code).toBe("STOP_BUILDER_TIMEOUT");
  expect([...new Set(ranks)]).toEqual(ORDER.map((_, index) => index));
  expect(ranks).toEqual(ranks.toSorted((first, second) => first - second));
});

test("any evidence within the schema gets a judgement within the schema, twice the same", () => {
  fc.assert(
    fc.property(arbitraryEvidence, (facts) => {
      expect(v.is(Evidence, facts)).toBe(true);
      const judgement = judge(facts);
      expect(v.is(Judgement, judgement)).toBe(true);
      expect(JSON.stringify(judge(structuredClone(facts)))).toBe(JSON.stringify(judgement));
    }),
    runs(500),
  );
});

test("the code is that of the earliest gate with a finding, and success means there is none", () => {
  fc.assert(
    fc.property(arbitraryEvidence, (facts) => {
      const { verdict, code, findings } = judge(facts);
      const ranks = findings.map((finding) => rank(finding.code));
      expect(verdict === "success").toBe(findings.length === 0);
      expect(findings.length === 0 ? Infinity : rank(code)).toBe(Math.min(...ranks));
      expect(ranks).not.toContain(-1);
    }),
    runs(500),
  );
});

test("the order in which changes are listed does not change the answer", () => {
  fc.assert(
    fc.property(arbitraryEvidence, (facts) => {
      const forwards = judge(facts);
      const backwards = judge({
        ...facts,
        changes: facts.changes.toReversed(),
        metadata: facts.metadata.toReversed(),
      });
      expect(backwards.code).toBe(forwards.code);
      expect(sorted(backwards.findings)).toEqual(sorted(forwards.findings));
      expect(backwards.blast_radius).toEqual(forwards.blast_radius);
    }),
    runs(500),
  );
});

test("one more change never turns a stop into a success, nor takes a finding about a path away", () => {
  fc.assert(
    fc.property(arbitraryEvidence, arbitraryChange, arbitraryMetadata, (facts, more, meta) => {
      const first = judge(facts);
      const second = judge({
        ...facts,
        changes: [...facts.changes, more],
        metadata: [...facts.metadata, meta],
      });
      expect([first.verdict, second.verdict]).not.toEqual(["stop", "success"]);
      expect(second.findings.length).toBeGreaterThanOrEqual(first.findings.length);
    }),
    runs(500),
  );
});
