import { expect, test } from "vitest";
import { plainStyle } from "../../src/base/style.ts";
import { renderTickCard } from "../../src/cards/tick-card.ts";
import { renderHistoryShow } from "../../src/cards/history-show-text.ts";
import { renderReportMarkdown } from "../../src/cards/report-markdown.ts";
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
  expect(renderTickCard(report, canvas).split("\n").slice(4, 13)).toEqual([
    "  change     2 files, +10/-3, 1 new; reverted, kept in salvage",
    "             src/x.ts, src/y.ts",
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
      "             ✗ scope gave no valid answer (timeout): It timed out.",
    ].join("\n"),
  );
});

const noChecks = { ...reportOf(TICKS.accepted).verification, runs: [], runs_total: 0 };

test("a change that no check has seen is kept and called unchecked, and nowhere did checks pass", () => {
  const report = reportOf(TICKS.accepted, { verification: noChecks });
  const texts = [
    renderTickCard(report, canvas),
    renderTickCard(report, { ...canvas, extent: "verbose" }),
    renderHistoryShow(report, { ...canvas, isWhole: true, decision: null }),
    renderReportMarkdown(report, { maxChars: 100_000 }),
  ];
  expect(texts[0]).toMatch(/^✓ Kept, unchecked\n/);
  expect(texts[0]).toMatch(/^ {2}checks {5}! none; /m);
  for (const text of texts) expect(text).not.toMatch(/checks? (?:\w+ )?passed|no check failed/i);
  expect(renderTickCard(reportOf(TICKS.unchanged, { verification: noChecks }), canvas)).toMatch(/^✓ No change\n/);
});

const two = (value: number) => String(value).padStart(2, "0");

/** The machine's own time, as a person reads it on the wall. */
const onTheWall = (iso: string) => {
  const at = new Date(iso);
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return { day, time: `${two(at.getHours())}:${two(at.getMinutes())}` };
};

test("a limit of the service says until when, on the clock of this machine, rounded up to the minute", () => {
  const report = reportOf(TICKS.rateLimited, { cause: "usage_limit" });
  const headline = (ended_at: string, retry_at: string) =>
    renderTickCard({ ...report, ended_at, retry_at }, canvas).split("\n")[0];
  const ended = new Date(2026, 1, 3, 9, 0).toISOString();
  const [soon, tomorrow] = [new Date(2026, 1, 3, 14, 29, 1).toISOString(), new Date(2026, 1, 4, 0, 5).toISOString()];
  expect(headline(ended, soon)).toBe("… Waiting until 14:30");
  expect(headline(ended, tomorrow)).toBe("… Waiting until 2026-02-04 00:05");
  expect(headline("2026-02-01T00:02:04.500Z", "2026-03-01T12:00:00.000Z")).toBe(
    `… Waiting until ${onTheWall("2026-03-01T12:00:00.000Z").day} ${onTheWall("2026-03-01T12:00:00.000Z").time}`,
  );
  expect(renderTickCard(report, canvas)).toMatch(/^… Waiting\nThe usage limit of the account is reached\.\n/);
});

test("a session that failed before it changed anything has reverted nothing, and its words are shown", () => {
  const nothing = { files_touched: 0, lines_added: 0, lines_deleted: 0, new_files: 0 };
  const finding = {
    gate: "builder-failure",
    code: "STOP_INTERRUPTED" as const,
    subject: "builder",
    rule: "The builder failed: not_logged_in.",
    glob: null,
  };
  const report = reportOf(TICKS.timedOut, {
    code: "STOP_INTERRUPTED",
    cause: "not_logged_in",
    findings: [finding],
    findings_total: 1,
    blast_radius: nothing,
    scope: { ...reportOf(TICKS.timedOut).scope, touched_paths: [], touched_paths_total: 0 },
    notes: ["the builder says: Not logged in · Please run /login"],
    notes_total: 1,
    pointers: { history_dir: "relais/history/x" },
  });
  expect(renderTickCard(report, { ...canvas, columns: 80 })).toMatchInlineSnapshot(`
    "✗ Stopped: The agent is not logged in
    │ Not logged in · Please run /login

      task       Set x to 2.
      change     no change
      cost       not reported; 2 min 05 s
      builder    not isolated, unsandboxed
      code       STOP_INTERRUPTED (not_logged_in)

    Next: Claude Code: start \`claude\` once and type /login, or set
    ANTHROPIC_API_KEY. Codex: type \`codex login\`, or set CODEX_API_KEY.
      relais doctor  try the agent without a model
    "
  `);
});

test("the agent's words take two lines at most, with a sign that there are more", () => {
  const notes = [`the builder says: ${"many words ".repeat(40)}`];
  const lines = renderTickCard(reportOf(TICKS.accepted, { notes, notes_total: 1 }), { ...canvas, columns: 60 });
  const quoted = lines.split("\n").filter((line) => line.startsWith("│"));
  expect(quoted).toHaveLength(2);
  expect(quoted.at(-1)).toMatch(/ …$/);
});

test("a kept tick is a card of about a dozen lines, and --verbose has every command", () => {
  const report = reportOf(TICKS.accepted);
  expect(
    renderTickCard(report, { ...canvas, columns: 80 })
      .trimEnd()
      .split("\n").length,
  ).toBeLessThanOrEqual(12);
  const verbose = renderTickCard(report, { ...canvas, extent: "verbose" });
  for (const command of ["relais diff", "relais accept", "relais undo"]) expect(verbose).toContain(`\n  ${command} `);
});
