import fc from "fast-check";
import { expect, test } from "vitest";
import { renderHistoryList } from "../../src/cards/history-text.ts";
import { type Decision, renderHistoryShow } from "../../src/cards/history-show-text.ts";
import { plainStyle } from "../../src/base/style.ts";
import { measureDisplayWidth } from "../../src/base/wrap-text.ts";
import { arbitraryReport, hostileText } from "../support/arbitrary-tick.ts";
import { reportOf, RUN, TICKS } from "../support/ticks.ts";
import { runs } from "../support/runs.ts";

const canvas = { style: plainStyle, columns: 90 };

test("the ticks are a table, and where it is too narrow, a list", () => {
  const rows = [
    { runId: RUN, startedAt: "2026-01-31T23:59:59.000Z", code: "SUCCESS", intent: "Set x to 2." },
    {
      runId: "20260131T225959Z-0123abcd",
      startedAt: "2026-01-31T22:59:59.000Z",
      code: "STOP_VERIFY_FAILED_FAST",
      intent: "A long\nintent that needs far more room than there is.",
    },
    { runId: "20260131T215959Z-0123abcd", startedAt: null, code: null, intent: null },
  ] as const;
  expect(renderHistoryList(rows, { ...canvas, columns: 100 })).toMatchInlineSnapshot(`
    "2026-01-31 23:59  20260131T235959Z-0123abcd  ✓ SUCCESS                  Set x to 2.
    2026-01-31 22:59  20260131T225959Z-0123abcd  ✗ STOP_VERIFY_FAILED_FAST  A long intent that needs far
                                                                            more room than there is.
    -                 20260131T215959Z-0123abcd  ✗ unfinished
    "
  `);
  expect(renderHistoryList(rows, canvas)).toMatchInlineSnapshot(`
    "✓ 20260131T235959Z-0123abcd
        2026-01-31 23:59  SUCCESS
        Set x to 2.
    ✗ 20260131T225959Z-0123abcd
        2026-01-31 22:59  STOP_VERIFY_FAILED_FAST
        A long intent that needs far more room than there is.
    ✗ 20260131T215959Z-0123abcd
        -  unfinished
    "
  `);
  expect(renderHistoryList([], canvas)).toMatchInlineSnapshot(`
    "No ticks yet.
    "
  `);
});

test("a tick of the table begins one line and no other, whatever the intent is", () => {
  fc.assert(
    fc.property(fc.array(hostileText, { minLength: 1, maxLength: 4 }), (intents) => {
      const rows = intents.map((intent) => ({
        runId: RUN,
        startedAt: "2026-01-31T23:59:59.000Z",
        code: "SUCCESS" as const,
        intent,
      }));
      const lines = renderHistoryList(rows, canvas).split("\n");
      expect(lines.filter((line) => line.startsWith("2026-01-31 23:59  "))).toHaveLength(intents.length);
      expect(lines.filter((line) => !/^(?: |$|2026-01-31 23:59  )/.test(line))).toEqual([]);
      expect(lines.filter((line) => measureDisplayWidth(line) > 90)).toEqual([]);
    }),
  );
});

test("one tick is shown with full report", () => {
  expect(renderHistoryShow(reportOf(TICKS.outsideScope), { ...canvas, isWhole: false, decision: null }))
    .toMatchInlineSnapshot(`
      "✗ Reverted: docs/guide.md is outside the allowed paths

        task       T-1: Set x to 2.
        change     2 files, +10/-3, 1 new; reverted
                   ✗ 1 path outside the allowed paths
        findings   ✗ docs/guide.md: No allowed glob matches this path.
                     STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
        cost       builder: $0.12, 12,345 tokens in (9,000 cached), 678 out, as claude_code
                   reports
        builder    worked in your working tree, without a sandbox: it could write outside the
                   repository and use the network
        salvage    the change is saved as 20260131T235959Z-0123abcd
        time       2 min 05 s
        code       STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
        run        20260131T235959Z-0123abcd, series 20260131T235959Z-89abcdef, workflow relay
        when       2026-01-31T23:59:59.000Z to 2026-02-01T00:02:04.500Z
        base       aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
        notes      the builder says: I set x to 2.
        paths      src/x.ts
                   src/y.ts
        files      relais/history/20260131T235959Z-0123abcd
                   relais/history/20260131T235959Z-0123abcd/diff.patch
                   relais/history/20260131T235959Z-0123abcd/verify.log

      Next: Allow the path (\`--allow GLOB\`, or allowed_globs in the task), or make the task
      smaller.
        relais history diff 20260131T235959Z-0123abcd        show the change
        relais salvage show 20260131T235959Z-0123abcd        show the reverted change
        relais explain STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED  explain this code
      "
    `);
});

test("long lists are cut and counted, or shown to their end", () => {
  const base = reportOf(TICKS.outsideScope);
  const paths = Array.from({ length: 30 }, (_, index) => `src/f${index}.ts`);
  const report = { ...base, scope: { ...base.scope, touched_paths: paths, touched_paths_total: 700 } };
  const cut = renderHistoryShow(report, { ...canvas, isWhole: false, decision: null });
  expect(cut).toContain("src/f19.ts\n             and 680 more; see them with -v\n");
  expect(cut).not.toContain("src/f20.ts");
  expect(renderHistoryShow(report, { ...canvas, isWhole: true, decision: null })).toContain(
    "src/f29.ts\n             and 670 more\n",
  );
});

const showDecision = (decision: Decision) =>
  renderHistoryShow(reportOf(TICKS.accepted), { ...canvas, isWhole: false, decision });

test("what was decided about the change afterwards is told", () => {
  const committed = { kind: "committed", commit: "0123456789abcdef", branch: "a\u001bb" } as const;
  expect(showDecision(committed)).toContain("since      committed as 0123456789ab on a\\u{1b}b\n");
  expect(showDecision({ kind: "undone" })).toContain("since      undone by `relais undo`\n");
});

test("nothing of anybody else's reaches the terminal raw", () => {
  fc.assert(
    fc.property(arbitraryReport, fc.boolean(), (report, isWhole) => {
      const text = renderHistoryShow(report, { ...canvas, isWhole, decision: null });
      expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    }),
    runs(100),
  );
});
