import { expect, test } from "vitest";
import { plainStyle } from "../../src/view/text/style.ts";
import { renderTickCard } from "../../src/view/cards/tick-card.ts";
import { reportOf, TICKS } from "../support/ticks.ts";

const canvas = { style: plainStyle, columns: 100 };

test("a forbidden file is named with its rule and its glob, and the last lines of a red check are shown", () => {
  const findings = [
    {
      gate: "forbidden-scope",
      code: "STOP_SCOPE_VIOLATION_FORBIDDEN" as const,
      subject: ".env\u001b[2J",
      rule: "The path, or a folder above it, matches a forbidden glob.",
      glob: "**/.env*",
    },
  ];
  const [lint] = reportOf(TICKS.failedCheck).verification.runs;
  if (lint === undefined) throw new Error("the tick has no check");
  const last_lines = ["one", "two", "three", "expected 2 \u001b[31mto be 3", "at src/x.ts:4"];
  const report = reportOf(TICKS.failedCheck, {
    findings,
    findings_total: 1,
    blast_radius: {
      files_touched: 2,
      lines_added: 10,
      lines_deleted: 3,
      new_files: 1,
      largest: { path: "src/a b.ts", lines_added: 9, lines_deleted: 2 },
    },
    verification: {
      ...reportOf(TICKS.failedCheck).verification,
      runs: [{ ...lint, last_lines }],
    },
  });
  expect(renderTickCard(report, canvas).split("\n").slice(3, 13)).toEqual([
    "  change     2 files, +10/-3, 1 new; reverted",
    "             largest: src/a b.ts, +9/-2",
    "             ✗ 1 path outside the allowed paths",
    "  findings   ✗ .env\\u{1b}[2J: The path, or a folder above it, matches a forbidden glob (glob",
    "               **/.env*).",
    "  checks     ✗ lint 840 ms, exit status 1",
    "             │ two",
    "             │ three",
    "             │ expected 2 \\u{1b}[31mto be 3",
    "             │ at src/x.ts:4",
  ]);
});

test("a review: who approved, who did not, and why", () => {
  const [none, quiet] = [null, { reasons: [], wrote: [] }];
  const reviewers = [
    { name: "risk", vote: "approve" as const, cause: none, summary: "Fine.", ...quiet },
    {
      name: "tests",
      vote: "refuse" as const,
      cause: none,
      summary: "No.",
      wrote: [],
      reasons: ["\u001b[2Jnone"],
    },
    { name: "scope", vote: "none" as const, cause: "timeout", summary: "It timed out.", ...quiet },
  ];
  const report = { ...reportOf(TICKS.accepted), review: { approved: false, quorum: 2, reviewers } };
  expect(renderTickCard(report, canvas)).toContain(
    [
      "  review     ✓ risk approves: Fine.",
      "             ✗ tests refuses: No. / \\u{1b}[2Jnone",
      "             ✗ scope has no vote (timeout): It timed out.",
    ].join("\n"),
  );
});
