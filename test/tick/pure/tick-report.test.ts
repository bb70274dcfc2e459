import fc from "fast-check";
import { expect, test } from "vitest";
import { Report, REPORT_LIMITS } from "../../../src/records/report.ts";
import { parseWith } from "../../../src/base/schema-error.ts";
import { shorten } from "../../../src/base/words.ts";
import { evolve } from "../../../src/tick/pure/evolve.ts";
import {
  findBase,
  findPrepared,
  findReportable,
  findRollbackFailure,
  findSettled,
  findVerification,
} from "../../../src/tick/pure/tick-facts.ts";
import { START } from "../../../src/tick/pure/tick-state.ts";
import { arbitraryReport, arbitraryTick } from "../../support/arbitrary-tick.ts";
import { reportOf, RUN, TICKS } from "../../support/ticks.ts";
import { runs } from "../../support/runs.ts";

test("whatever happened, the report keeps to its schema", () => {
  fc.assert(
    fc.property(arbitraryReport, (report) => {
      const parsed = parseWith(Report, report);
      expect(parsed.kind === "invalid" ? parsed.problems.map(({ message }) => message) : []).toEqual([]);
      expect(parseWith(Report, JSON.parse(JSON.stringify(report))).kind).toBe("valid");
    }),
    runs(300),
  );
});

test("every list stands beside a total that is not smaller", () => {
  fc.assert(
    fc.property(arbitraryReport, ({ scope, findings, findings_total, notes, notes_total, verification }) => {
      expect(scope.violations_total).toBeGreaterThanOrEqual(scope.violations.length);
      expect(scope.touched_paths_total).toBeGreaterThanOrEqual(scope.touched_paths.length);
      expect(findings_total).toBeGreaterThanOrEqual(findings.length);
      expect(notes_total).toBeGreaterThanOrEqual(notes.length);
      expect(verification.runs_total).toBeGreaterThanOrEqual(verification.runs.length);
    }),
  );
});

test("the arbitrary ticks end in every way there is", () => {
  const states = fc.sample(arbitraryTick, { numRuns: 800, seed: 1 });
  const seen = (is: (state: (typeof states)[number]) => boolean) => states.some(is);
  expect(seen((state) => findBase(state) === null)).toBe(true);
  expect(seen((state) => findPrepared(state) !== null && state.outcome.code === "STOP_INTERRUPTED")).toBe(true);
  expect(seen(({ outcome }) => outcome.code === "SUCCESS")).toBe(true);
  expect(seen(({ outcome }) => outcome.code === "STOP_QUESTION")).toBe(true);
  expect(seen((state) => findRollbackFailure(state) !== null)).toBe(true);
  expect(seen((state) => typeof findVerification(state)?.code === "string")).toBe(true);
  expect(seen((state) => findSettled(state)?.action === "commit")).toBe(true);
  expect(seen((state) => findSettled(state)?.action === "accept")).toBe(true);
});

test("a tick without an outcome, or without a beginning, has nothing to report", () => {
  const states = TICKS.accepted.map((_, at) => TICKS.accepted.slice(0, at).reduce(evolve, START));
  expect(states.map(findReportable).filter((state) => state !== null)).toEqual([]);
  expect(findReportable(TICKS.accepted.reduce(evolve, START))).not.toBeNull();
  expect(findReportable(evolve(START, { type: "abandoned", message: "gone" }))).toBeNull();
});

test("an accepted change is told with its checks and its cost", () => {
  const report = reportOf(TICKS.accepted);
  expect(report).toMatchObject({
    verdict: "success",
    code: "SUCCESS",
    base_commit: "a".repeat(40),
    head_commit: "a".repeat(40),
    task: { task_id: "T-1", milestone_id: "M-1", task_kind: "execute", intent: "Set x to 2." },
    scope: { ok: true, violations: [], touched_paths: ["src/x.ts", "src/y.ts"], touched_paths_total: 2 },
    diff: { files_changed: 2, lines_changed: 13, diff_patch_path: `relais/history/${RUN}/diff.patch` },
    verification: { runs_total: 2 },
    settle: { action: "accept", commit: null, branch: null },
    usage: [{ role: "builder", driver: "claude_code", cost_usd: 0.1234 }],
    notes: ["the builder says: I set x to 2."],
    isolation: "in_place",
    sandbox: "none",
  });
  expect(report.pointers).toEqual({
    report_md_path: "relais/REPORT.md",
    history_dir: `relais/history/${RUN}`,
  });
});

test("a commit is where HEAD is", () => {
  expect(reportOf(TICKS.committed)).toMatchObject({
    base_commit: "a".repeat(40),
    head_commit: "b".repeat(40),
    settle: { action: "commit", commit: "b".repeat(40), branch: "relais/topic" },
  });
});

test("a refusal by the gates names every violation in one line and where the work is kept", () => {
  expect(reportOf(TICKS.outsideScope)).toMatchObject({
    verdict: "stop",
    scope: {
      ok: false,
      violations: ["docs/guide.md: No allowed glob matches this path."],
      violations_total: 1,
    },
    settle: { action: "rollback" },
    pointers: { salvage: RUN },
  });
});

test("a tick that was blocked before anything claims nothing", () => {
  expect(reportOf(TICKS.dirty)).toMatchObject({
    verdict: "blocked",
    base_commit: null,
    head_commit: null,
    task: null,
    scope: { ok: false, violations: [] },
    isolation: null,
    sandbox: null,
    settle: null,
    usage: [],
    builder_output_valid: null,
  });
});

test("after a failed rollback the differences come first and HEAD is not known", () => {
  const report = reportOf(TICKS.rollbackFailed);
  expect(report).toMatchObject({ code: "BLOCKED_ROLLBACK_FAILED", head_commit: null, settle: null });
  expect(report.notes.slice(0, 2)).toEqual(["not put back: src/locked.ts", "not put back: git: HEAD"]);
});

test("a question is in the report with its choices", () => {
  expect(reportOf(TICKS.question)).toMatchObject({
    code: "STOP_QUESTION",
    question: { prompt: "Which name is wanted?\nBoth exist.", choices: ["old", "new"] },
  });
});

test("the check that failed is never among those that are cut", () => {
  const green = reportOf(TICKS.accepted).verification.runs.slice(0, 1);
  const red = reportOf(TICKS.failedCheck).verification.runs;
  const all = [...Array.from({ length: 60 }, () => green).flat(), ...red];
  const events = TICKS.failedCheck.map((event) => (event.type === "verified" ? { ...event, runs: all } : event));
  const { verification } = reportOf(events);
  expect(verification.runs).toHaveLength(REPORT_LIMITS.runs);
  expect(verification.runs_total).toBe(61);
  expect(verification.runs.at(-1)?.exit_code).toBe(1);
});

test.each([
  ["abc", 3, "abc"],
  ["abcd", 3, "ab…"],
  ["a🎉bcd", 3, "a…"],
  ["a🎉bcd", 4, "a🎉…"],
])("%j cut to %i is %j", (text, max, cut) => {
  expect(shorten(text, max)).toBe(cut);
});
