import fc from "fast-check";
import { expect, test } from "vitest";
import { CODES, type Code } from "../../src/base/codes.ts";
import type { Report } from "../../src/records/report.ts";
import { describeCause } from "../../src/tick/pure/cause-words.ts";
import { renderReportMarkdown } from "../../src/cards/report-markdown.ts";
import { arbitraryReport } from "../support/arbitrary-tick.ts";
import { markdownNodes } from "../support/markdown-nodes.ts";
import { reportOf, TICKS } from "../support/ticks.ts";
import { runs } from "../support/runs.ts";

const WHOLE = { maxChars: 1_000_000 };
const OURS = ["root", "heading", "paragraph", "list", "listItem", "blockquote", "text", "inlineCode", "break"];
const LINE_START = /^(?:# |## |- |  - |> `|> \(empty\)|\d+\. |\d+ more lines |$)/;

/** What remains of a line once everything in code spans is taken away. */
const outsideSpans = (line: string) => line.replaceAll(/`[^`]*`/g, "");

test("a new file inside the scope is not called outside of it", () => {
  const report = reportOf(TICKS.outsideScope);
  const findings = report.findings.map((finding) => ({ ...finding, code: "STOP_SCOPE_VIOLATION_NEW_FILE" as const }));
  expect(renderReportMarkdown({ ...report, findings }, WHOLE)).not.toMatch(/Blast radius: .*outside/);
});

test("a refused change, whole", () => {
  expect(renderReportMarkdown(reportOf(TICKS.outsideScope), WHOLE)).toMatchInlineSnapshot(`
    "# stop: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED

    - Why: A changed file is outside the allowed paths.
    - Blast radius: 2 files, +10/-3, 1 new; 1 path outside the allowed paths
    - Next: Allow the path (\`--allow GLOB\`, or allowed_globs in the task), or make the task smaller.
      - \`relais land 20260131T235959Z-0123abcd --allow docs/guide.md\`
      - \`relais salvage show 20260131T235959Z-0123abcd\`
      - \`relais history show 20260131T235959Z-0123abcd\`

    ## Findings

    - \`docs/guide.md\`: \`No allowed glob matches this path.\` (STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED)

    ## Tick

    - Run \`20260131T235959Z-0123abcd\` of series \`20260131T235959Z-89abcdef\`, workflow relay
    - From 2026-01-31T23:59:59.000Z to 2026-02-01T00:02:04.500Z, 2 min 05 s
    - Task \`T-1\` (execute, milestone \`M-1\`): \`Set x to 2.\`
    - Base commit: \`aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\`
    - Outcome: reverted
    - Builder: worked in your working tree, without a sandbox: it could write outside the repository and use the network
    - Cost: builder: $0.12, 12,345 tokens in (9,000 cached), 678 out, as claude_code reports

    ## Notes

    - \`the builder says: I set x to 2.\`

    ## Touched paths

    - \`src/x.ts\`
    - \`src/y.ts\`

    ## Budget

    - Spent in milestone \`M-1\`: 4 ticks, 0 orchestrator calls, 4 builder calls, 7 checks, 0 reviewer calls, $0.50 reported

    ## Files

    - History: \`relais/history/20260131T235959Z-0123abcd\`
    - Patch: \`relais/history/20260131T235959Z-0123abcd/diff.patch\`
    - Log of the checks: \`relais/history/20260131T235959Z-0123abcd/verify.log\`
    - Salvage: \`20260131T235959Z-0123abcd\`
    "
  `);
});

test("a failed check, a question and a blocked tick", () => {
  expect(renderReportMarkdown(reportOf(TICKS.failedCheck), { maxChars: 600 })).toMatchInlineSnapshot(`
    "# stop: STOP_VERIFY_FAILED_FAST

    - Why: A fast check failed or timed out.
    - Blast radius: 2 files, +10/-3, 1 new
    - Next: Fix what the check reports; the change is kept in salvage.
      - \`relais fix 20260131T235959Z-0123abcd\`
      - \`relais log 20260131T235959Z-0123abcd\`
      - \`relais salvage show 20260131T235959Z-0123abcd\`
    - Cause: \`exit_1\`

    ## Checks

    - ✗ \`lint\` 840 ms, exit status 1 (fast): \`npm run lint\`

    ## Tick

    - Run \`20260131T235959Z-0123abcd\` of series \`20260131T235959Z-89abcdef\`, workflow relay

    26 more lines are not shown; REPORT.json has all of it.
    "
  `);
  expect(renderReportMarkdown(reportOf(TICKS.question), { maxChars: 700 })).toMatchInlineSnapshot(`
    "# stop: STOP_QUESTION

    - Why: An agent has a question for you.
    - Blast radius: 0 files, +0/-0, 0 new
    - Next: Answer the question.
      - \`relais answer "..."\`
      - \`relais history show 20260131T235959Z-0123abcd\`

    ## Question

    > \`Which name is wanted?\`\\
    > \`Both exist.\`

    1. \`old\`
    2. \`new\`

    ## Tick

    - Run \`20260131T235959Z-0123abcd\` of series \`20260131T235959Z-89abcdef\`, workflow relay
    - From 2026-01-31T23:59:59.000Z to 2026-02-01T00:02:04.500Z, 2 min 05 s
    - Task \`T-2\` (question, milestone \`M-1\`): \`Ask which one is wanted.\`
    - Base commit: \`aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\`
    - Outcome: reverted

    ## Budget


    7 more lines are not shown; REPORT.json has all of it.
    "
  `);
  expect(renderReportMarkdown(reportOf(TICKS.dirty), { maxChars: 700 })).toMatchInlineSnapshot(`
    "# blocked: BLOCKED_DIRTY_WORKTREE

    - Why: The working tree has uncommitted changes.
    - Blast radius: not measured
    - Next: Commit them, or \`git stash -u\`; \`relais run "..." --dirty\` begins with them.
      - \`git stash -u\`
      - \`relais history show 20260131T235959Z-0123abcd\`
      - \`relais explain BLOCKED_DIRTY_WORKTREE\`
    - Details:

    > \`2 paths are not committed: src/a.ts, src/b.ts.\`

    ## Tick

    - Run \`20260131T235959Z-0123abcd\` of series \`20260131T235959Z-89abcdef\`, workflow relay
    - From 2026-01-31T23:59:59.000Z to 2026-02-01T00:02:04.500Z, 2 min 05 s
    - Outcome: not started

    ## Budget


    7 more lines are not shown; REPORT.json has all of it.
    "
  `);
});

test("no text of anybody else can leave its span or begin a block", () => {
  fc.assert(
    fc.property(arbitraryReport, (report) => {
      const text = renderReportMarkdown(report, WHOLE);
      expect(text).not.toContain("<");
      for (const line of text.split("\n")) {
        expect(line).toMatch(LINE_START);
        expect(outsideSpans(line)).toMatch(/^[A-Za-z0-9 .,:;'()…✓✗#>\\$+/_-]*$/);
      }
      expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    }),
    runs(300),
  );
});

test("a real parser finds nothing but headings, lists, quotations and code spans", async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryReport, async (report) => {
      const short = { ...report, findings: report.findings.slice(0, 3), notes: report.notes.slice(0, 3) };
      const scope = { ...report.scope, touched_paths: report.scope.touched_paths.slice(0, 3) };
      const nodes = await markdownNodes(renderReportMarkdown({ ...short, scope }, WHOLE));
      expect(nodes.map(({ type }) => type).filter((type) => !OURS.includes(type))).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

const PAYLOADS = [
  "EVIL",
  "EVIL` EVIL `EVIL",
  "``` EVIL",
  "\n# EVIL",
  "EVIL\n===",
  "![EVIL](http://evil)",
  "[EVIL](javascript:evil)",
  "<img src=x onerror=EVIL>",
  "@EVIL https://EVIL.example",
  "| EVIL |\n|---|",
  "<!-- EVIL",
  "\\`EVIL",
  "- EVIL\n  - EVIL",
];

test.each(PAYLOADS)("%j stays in code spans wherever it is put", async (evil) => {
  const base = reportOf(TICKS.failedCheck);
  const report: Report = {
    ...base,
    cause: evil,
    message: evil,
    task: { task_id: evil, milestone_id: evil, task_kind: "execute", intent: evil },
    findings: [{ gate: evil, code: "STOP_UNSAFE_PATH", subject: evil, rule: evil, glob: evil }],
    notes: [evil],
    scope: { ...base.scope, touched_paths: [evil] },
    settle: { action: "commit", commit: "b".repeat(40), branch: evil },
    verification: {
      ...base.verification,
      runs: base.verification.runs.map((run) => ({ ...run, template_id: evil, cmd: evil, args: [evil] })),
    },
    budgets: { ...base.budgets, milestone_id: evil, warnings: [evil] },
  };
  const asked = { ...report, question: { prompt: evil, choices: [evil] } };
  for (const shown of [report, asked]) {
    const nodes = await markdownNodes(renderReportMarkdown(shown, WHOLE));
    expect(nodes.filter(({ type, value }) => type !== "inlineCode" && /evil/i.test(value ?? ""))).toEqual([]);
    expect(nodes.filter(({ value }) => /evil/i.test(value ?? "")).length).toBeGreaterThan(10);
  }
});

test("the cap holds, at a whole line, with a count of the rest", () => {
  fc.assert(
    fc.property(arbitraryReport, fc.integer({ min: 500, max: 8000 }), (report, maxChars) => {
      const whole = renderReportMarkdown(report, WHOLE);
      const text = renderReportMarkdown(report, { maxChars });
      expect(text.length).toBeLessThanOrEqual(maxChars);
      if (text === whole) return;
      const [, missing] = /\n\n(\d+) more lines are not shown; REPORT\.json has all of it\.\n$/.exec(text) ?? [];
      const kept = whole.split("\n").length - 1 - Number(missing);
      expect(text.startsWith(whole.split("\n").slice(0, kept).join("\n"))).toBe(true);
      expect(text.split("\n").length).toBe(kept + 3);
    }),
  );
});

test("it is made from the report alone, so a report from disk gives the same text", () => {
  fc.assert(
    fc.property(arbitraryReport, (report) => {
      const copy: Report = structuredClone(report);
      expect(renderReportMarkdown(copy, WHOLE)).toBe(renderReportMarkdown(report, WHOLE));
    }),
    { numRuns: 50 },
  );
});

const codes = Object.keys(CODES).filter((code): code is Code => code in CODES);

test.each(codes)("the smallest report of %s still answers what, why, how large and what next", (code) => {
  const report = reportOf(TICKS.failedCheck, {
    code,
    verdict: CODES[code].verdict,
    message: "x".repeat(2000),
  });
  const text = renderReportMarkdown(report, { maxChars: 500 });
  expect(text).toContain(`# ${CODES[code].verdict}: ${code}\n`);
  expect(text).toContain(`- Why: ${describeCause(code, report.cause).meaning}\n`);
  expect(text).toContain("- Blast radius: 2 files, +10/-3, 1 new\n");
  expect(text).toContain("- Next: ");
});
