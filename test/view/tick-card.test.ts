import fc from "fast-check";
import { expect, test } from "vitest";
import { CODES, type Code } from "../../src/contract/values/codes.ts";
import { nextSteps } from "../../src/view/cards/next-steps.ts";
import { colouredStyle, plainStyle } from "../../src/view/text/style.ts";
import { tickCard } from "../../src/view/cards/tick-card.ts";
import { displayWidth } from "../../src/view/text/display-width.ts";
import { arbitraryReport } from "../support/arbitrary-tick.ts";
import { reportOf, RUN, TICKS } from "../support/ticks.ts";
import { runs } from "../support/runs.ts";

const canvas = { style: plainStyle, columns: 100 };
const card = (name: keyof typeof TICKS) => tickCard(reportOf(TICKS[name]), canvas);

test("a change that was accepted", () => {
  expect(card("accepted")).toMatchInlineSnapshot(`
    "✓ success SUCCESS
    Every gate passed and every check was green.

      task       T-1: Set x to 2.
      change     2 files, +10/-3, 1 new; kept in the working tree, not committed
      checks     ✓ lint 840 ms
                 ✓ test 1 min 05 s
      cost       builder: $0.12, 12,345 tokens in (9,000 cached), 678 out, as claude_code reports
      builder    worked in your working tree, without a sandbox: nothing kept it from writing outside
                 the repository
      time       2 min 05 s

    Next: Look at the change, then take it or give it back.
      git diff       what changed; \`git status\` names the new files
      relais accept  commit exactly this
      relais undo    take it back
    "
  `);
});

test("what the runner noticed is on the card, and what the builder says of itself is not", () => {
  const notes = [
    "the builder says: All tests pass.",
    "Tests were changed or removed: `a\u001b[2J`.",
    "two",
    "three",
    "four",
  ];
  const report = { ...reportOf(TICKS.accepted), notes, notes_total: 7 };
  const lines = tickCard(report, canvas).split("\n");
  const start = lines.findIndex((line) => line.includes("notes"));
  expect(lines.slice(start, start + 4).map((line) => line.trim())).toEqual([
    expect.stringContaining("Tests were changed or removed: `a"),
    "two",
    "three",
    "and 3 more",
  ]);
  expect(lines.join()).not.toContain("All tests pass");
  expect(lines.join()).not.toContain("\u001b");
});

test("a change that was committed", () => {
  expect(card("committed")).toMatchInlineSnapshot(`
    "✓ success SUCCESS
    Every gate passed and every check was green.

      task       T-1: Set x to 2.
      change     2 files, +10/-3, 1 new; committed as bbbbbbbbbbbb on relais/topic
      checks     ✓ lint 840 ms
                 ✓ test 1 min 05 s
      cost       builder: $0.12, 12,345 tokens in (9,000 cached), 678 out, as claude_code reports
      builder    worked in your working tree, without a sandbox: nothing kept it from writing outside
                 the repository
      time       2 min 05 s

    Next:
      git show bbbbbbbbbbbb  the commit
      relais undo            take it back while it is the last one
    "
  `);
});

test("a tick that changed nothing", () => {
  expect(card("unchanged")).toMatchInlineSnapshot(`
    "✓ success SUCCESS
    Every gate passed and every check was green.

      task       T-1: Set x to 2.
      change     0 files, +0/-0, 0 new; nothing to keep
      checks     ✓ lint 840 ms
                 ✓ test 1 min 05 s
      cost       builder: $0.12, 12,345 tokens in (9,000 cached), 678 out, as claude_code reports
      builder    worked in your working tree, without a sandbox: nothing kept it from writing outside
                 the repository
      time       2 min 05 s

    Next:
      relais history show 20260131T235959Z-0123abcd  everything about this tick
      relais status                                  where things stand
    "
  `);
});

test("a change outside the scope", () => {
  expect(card("outsideScope")).toMatchInlineSnapshot(`
    "✗ stop STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
    A changed path matches no allowed glob.

      task       T-1: Set x to 2.
      change     2 files, +10/-3, 1 new; the repository is as it was before
                 ✗ 1 path outside the scope
      findings   ✗ docs/guide.md: No allowed glob matches this path.
      cost       builder: $0.12, 12,345 tokens in (9,000 cached), 678 out, as claude_code reports
      builder    worked in your working tree, without a sandbox: nothing kept it from writing outside
                 the repository
      salvage    the work is kept as 20260131T235959Z-0123abcd
      time       2 min 05 s

    Next: Widen the task's allowed_globs if the path belongs to the task; otherwise make the task
    smaller.
      relais history show 20260131T235959Z-0123abcd        everything about this tick
      relais salvage show 20260131T235959Z-0123abcd        the work that was put back
      relais explain STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED  what this code means
    "
  `);
});

test("a check that failed", () => {
  expect(card("failedCheck")).toMatchInlineSnapshot(`
    "✗ stop STOP_VERIFY_FAILED_FAST
    A fast check failed or ran out of time. Cause: exit_1.

      task       T-1: Set x to 2.
      change     2 files, +10/-3, 1 new; the repository is as it was before
      checks     ✗ lint 840 ms, exit status 1
      cost       builder: $0.12, 12,345 tokens in (9,000 cached), 678 out, as claude_code reports
      builder    worked in your working tree, without a sandbox: nothing kept it from writing outside
                 the repository
      salvage    the work is kept as 20260131T235959Z-0123abcd
      time       2 min 05 s

    Next: Read verify.log; the work is kept in salvage.
      relais history show 20260131T235959Z-0123abcd  everything about this tick
      relais salvage show 20260131T235959Z-0123abcd  the work that was put back
      relais explain STOP_VERIFY_FAILED_FAST         what this code means
    "
  `);
});

test("a builder that ran out of time", () => {
  expect(card("timedOut")).toMatchInlineSnapshot(`
    "✗ stop STOP_BUILDER_TIMEOUT
    The builder ran past its time limit and was stopped. Cause: deadline.

      task       T-1: Set x to 2.
      change     2 files, +10/-3, 1 new; the repository is as it was before
      cost       not reported
      builder    worked in your working tree, without a sandbox: nothing kept it from writing outside
                 the repository
      salvage    the work is kept as 20260131T235959Z-0123abcd
      time       2 min 05 s

    Next: Make the task smaller or raise the builder's timeout.
      relais history show 20260131T235959Z-0123abcd  everything about this tick
      relais salvage show 20260131T235959Z-0123abcd  the work that was put back
      relais explain STOP_BUILDER_TIMEOUT            what this code means
    "
  `);
});

test("a tick that was interrupted", () => {
  expect(card("interrupted")).toMatchInlineSnapshot(`
    "✗ stop STOP_INTERRUPTED
    A signal ended the work before it was done. Cause: sigint.

      task       T-1: Set x to 2.
      change     the repository is as it was before
      time       2 min 05 s

    Next: Run the same command again when you want it to go on.
      relais history show 20260131T235959Z-0123abcd  everything about this tick
      relais explain STOP_INTERRUPTED                what this code means
    "
  `);
});

test("a limit of the service is a wait", () => {
  expect(card("rateLimited")).toMatchInlineSnapshot(`
    "… wait STOP_RATE_LIMITED
    The agent's service refused the call because of a rate or usage limit. Cause: until 18:00.

      task       T-1: Set x to 2.
      change     2 files, +10/-3, 1 new; the repository is as it was before
      cost       not reported
      builder    worked in your working tree, without a sandbox: nothing kept it from writing outside
                 the repository
      salvage    the work is kept as 20260131T235959Z-0123abcd
      time       2 min 05 s

    Next: Wait for the time shown and run again; the tick was not counted.
      relais history show 20260131T235959Z-0123abcd  everything about this tick
      relais salvage show 20260131T235959Z-0123abcd  the work that was put back
      relais explain STOP_RATE_LIMITED               what this code means
    "
  `);
});

test("a question is shown as a question", () => {
  expect(card("question")).toMatchInlineSnapshot(`
    "? question STOP_QUESTION
    The orchestrator asks a question that a person must answer.
    │ Which name is wanted?
    │ Both exist.
    │ 1. old
    │ 2. new

      task       T-2: Ask which one is wanted.
      change     0 files, +0/-0, 0 new; the repository is as it was before
      time       2 min 05 s

    Next: A person has to answer.
      relais answer "..."                            answer it; the next tick is told
      relais history show 20260131T235959Z-0123abcd  everything about this tick
    "
  `);
});

test("a tick that could not start", () => {
  expect(card("dirty")).toMatchInlineSnapshot(`
    "✗ blocked BLOCKED_DIRTY_WORKTREE
    The working tree has changes that no tick made.
    │ 2 paths are not committed: src/a.ts, src/b.ts.

      change     nothing was started
      time       2 min 05 s

    Next: Commit or stash them first.
      git status                                     what is not committed
      git stash -u                                   put it aside for now
      relais history show 20260131T235959Z-0123abcd  everything about this tick
    "
  `);
});

test("a task that was refused before anybody was paid", () => {
  expect(card("tainted")).toMatchInlineSnapshot(`
    "✗ stop STOP_VERIFY_TAINTED
    A check could not be run safely: an unknown template, or a parameter that is missing, extra or not
    allowed. Cause: unknown_template.
    │ There is no template \`lnt\`.

      change     nothing was touched
      time       2 min 05 s

    Next: Use the template ids and parameters of relais.config.json; nothing was executed.
      relais history show 20260131T235959Z-0123abcd  everything about this tick
      relais explain STOP_VERIFY_TAINTED             what this code means
    "
  `);
});

test("a repository that could not be put back", () => {
  expect(card("rollbackFailed")).toMatchInlineSnapshot(`
    "✗ blocked BLOCKED_ROLLBACK_FAILED
    The repository could not be put back exactly.
    │ the repository is still different

      task       T-1: Set x to 2.
      change     2 files, +10/-3, 1 new; NOT put back exactly: look before anything else runs here
                 ✗ not put back: src/locked.ts
                 ✗ not put back: git: HEAD
      cost       builder: $0.12, 12,345 tokens in (9,000 cached), 678 out, as claude_code reports
      builder    worked in your working tree, without a sandbox: nothing kept it from writing outside
                 the repository
      time       2 min 05 s

    Next: Run \`relais recover\` before anything else: the report lists what is not back yet, and \`relais
    salvage list\` what was kept.
      relais recover                                 put back what is not back yet
      relais salvage list                            the content that was kept
      relais history show 20260131T235959Z-0123abcd  everything about this tick
    "
  `);
});

test("an attempt that failed and was committed is not looked for in salvage", () => {
  const report = reportOf(TICKS.failedCheck);
  const settle = { action: "commit" as const, commit: "a".repeat(40), branch: "topic" };
  const text = tickCard({ ...report, settle, pointers: {} }, canvas);
  expect(text).toContain("the attempt is kept as a commit");
  expect(text).toContain("git show aaaaaaaaaaaa");
});

test("a narrow terminal gets narrow lines", () => {
  expect(tickCard(reportOf(TICKS.failedCheck), { style: plainStyle, columns: 50 })).toMatchInlineSnapshot(`
    "✗ stop STOP_VERIFY_FAILED_FAST
    A fast check failed or ran out of time. Cause:
    exit_1.

      task       T-1: Set x to 2.
      change     2 files, +10/-3, 1 new; the
                 repository is as it was before
      checks     ✗ lint 840 ms, exit status 1
      cost       builder: $0.12, 12,345 tokens in
                 (9,000 cached), 678 out, as
                 claude_code reports
      builder    worked in your working tree, without
                 a sandbox: nothing kept it from
                 writing outside the repository
      salvage    the work is kept as
                 20260131T235959Z-0123abcd
      time       2 min 05 s

    Next: Read verify.log; the work is kept in
    salvage.
      relais history show 20260131T235959Z-0123abcd
          everything about this tick
      relais salvage show 20260131T235959Z-0123abcd
          the work that was put back
      relais explain STOP_VERIFY_FAILED_FAST
          what this code means
    "
  `);
});

/** Every sequence begins with an escape and ends with the next m. */
const uncoloured = (text: string) =>
  text
    .split("\u001b[")
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf("m") + 1)))
    .join("");

test("colour adds nothing but colour", () => {
  for (const events of Object.values(TICKS)) {
    const report = reportOf(events);
    const coloured = tickCard(report, { style: colouredStyle, columns: 100 });
    expect(coloured).toContain("\u001b[");
    expect(uncoloured(coloured)).toBe(tickCard(report, canvas));
  }
});

test("whatever the names are, nothing but our own sequences reaches the terminal and no line is too long", () => {
  fc.assert(
    fc.property(arbitraryReport, fc.integer({ min: 40, max: 160 }), (report, columns) => {
      const text = tickCard(report, { style: plainStyle, columns });
      const lines = text.split("\n");
      expect(lines.join("")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      // A name without spaces is the one thing that cannot be broken, and one code is longer than forty columns.
      const tooLong = lines.filter((line) => displayWidth(line) > columns && line.trim().includes(" "));
      expect(tooLong).toEqual([]);
    }),
    runs(200),
  );
});

const codes = Object.keys(CODES).filter((code): code is Code => code in CODES);

test.each(codes)("after %s there are one to three commands to type", (code) => {
  const report = reportOf(TICKS.outsideScope, { code, verdict: CODES[code].verdict });
  const commands = nextSteps(report).map(({ command }) => command);
  expect(commands.length).toBeGreaterThanOrEqual(1);
  expect(commands.length).toBeLessThanOrEqual(3);
  expect(new Set(commands).size).toBe(commands.length);
});

test.each(codes.filter((code) => CODES[code].verdict === "stop" && code !== "STOP_QUESTION"))(
  "after %s the tick, the work and the code can be looked at",
  (code) => {
    expect(nextSteps(reportOf(TICKS.outsideScope, { code })).map(({ command }) => command)).toEqual([
      `relais history show ${RUN}`,
      `relais salvage show ${RUN}`,
      `relais explain ${code}`,
    ]);
  },
);
