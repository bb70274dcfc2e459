import fc from "fast-check";
import { expect, test } from "vitest";
import { CODES, type Code } from "../../src/base/codes.ts";
import { renderNextSteps } from "../../src/cards/next-steps.ts";
import { colouredStyle, plainStyle } from "../../src/base/style.ts";
import { renderTickCard } from "../../src/cards/tick-card.ts";
import { measureDisplayWidth } from "../../src/base/wrap-text.ts";
import { arbitraryReport } from "../support/arbitrary-tick.ts";
import { reportOf, RUN, TICKS } from "../support/ticks.ts";
import { runs } from "../support/runs.ts";

const canvas = { style: plainStyle, columns: 80 };
const card = (name: keyof typeof TICKS) => renderTickCard(reportOf(TICKS[name]), canvas);

test("a change that was accepted", () => {
  expect(card("accepted")).toMatchInlineSnapshot(`
    "✓ Kept
    │ I set x to 2.

      task       Set x to 2.
      change     2 files, +10/-3, 1 new; not committed
                 src/x.ts, src/y.ts
      checks     ✓ lint 840 ms, test 1 min 05 s
      cost       $0.12, 12,345 tokens in, 678 out; 2 min 05 s
      builder    not isolated, unsandboxed
      code       SUCCESS

    Next: relais accept  commit it; \`relais undo\` discards it
    "
  `);
});

test("what the runner noticed is on the card, and what the builder says of itself is a quotation", () => {
  const notes = [
    "the builder says: All tests pass.",
    "Tests were changed or removed: `a\u001b[2J`.",
    "two",
    "three",
    "four",
  ];
  const report = { ...reportOf(TICKS.accepted), notes, notes_total: 7 };
  const lines = renderTickCard(report, canvas).split("\n");
  const start = lines.findIndex((line) => line.includes("notes"));
  expect(lines.slice(start, start + 4).map((line) => line.trim())).toEqual([
    expect.stringContaining("Tests were changed or removed: `a"),
    "two",
    "three",
    "and 3 more",
  ]);
  expect(lines[1]).toBe("│ All tests pass.");
  expect(lines.join()).not.toContain("\u001b");
});

test("words that the message repeats are shown once", () => {
  const message = "API Error: 400 no such option";
  const notes = [`the builder says: ${message}`];
  const text = renderTickCard({ ...reportOf(TICKS.accepted), message, notes, notes_total: 1 }, canvas);
  expect(text.split("\n").filter((line) => line.includes(message))).toHaveLength(1);
});

test("a change that was committed", () => {
  expect(card("committed")).toMatchInlineSnapshot(`
    "✓ Kept
    │ I set x to 2.

      task       Set x to 2.
      change     2 files, +10/-3, 1 new; committed as bbbbbbbbbbbb on relais/topic
                 src/x.ts, src/y.ts
      checks     ✓ lint 840 ms, test 1 min 05 s
      cost       $0.12, 12,345 tokens in, 678 out; 2 min 05 s
      builder    not isolated, unsandboxed
      code       SUCCESS

    Next: git show bbbbbbbbbbbb  show the commit
    "
  `);
});

test("a tick that changed nothing", () => {
  expect(card("unchanged")).toMatchInlineSnapshot(`
    "✓ No change
    │ I set x to 2.

      task       Set x to 2.
      change     no change
      checks     ✓ lint 840 ms, test 1 min 05 s
      cost       $0.12, 12,345 tokens in, 678 out; 2 min 05 s
      builder    not isolated, unsandboxed
      code       SUCCESS

    Next: relais history show 20260131T235959Z-0123abcd  full report
    "
  `);
});

test("a change outside the allowed paths", () => {
  expect(card("outsideScope")).toMatchInlineSnapshot(`
    "✗ Reverted: docs/guide.md is outside the allowed paths
    │ I set x to 2.

      task       Set x to 2.
      change     2 files, +10/-3, 1 new; reverted, kept in salvage
                 src/x.ts, src/y.ts
      findings   ✗ docs/guide.md: No allowed glob matches this path.
      cost       $0.12, 12,345 tokens in, 678 out; 2 min 05 s
      builder    not isolated, unsandboxed
      code       STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED

    Next: Allow the path (\`--allow GLOB\`, or allowed_globs in the task), or make the
    task smaller.
      relais land 20260131T235959Z-0123abcd --allow docs/guide.md
          judge this work again, with that allowed
    "
  `);
});

test("a check that failed", () => {
  expect(card("failedCheck")).toMatchInlineSnapshot(`
    "✗ Reverted: lint failed (exit status 1)
    │ I set x to 2.

      task       Set x to 2.
      change     2 files, +10/-3, 1 new; reverted, kept in salvage
                 src/x.ts, src/y.ts
      checks     ✗ lint 840 ms, exit status 1
      cost       $0.12, 12,345 tokens in, 678 out; 2 min 05 s
      builder    not isolated, unsandboxed
      code       STOP_VERIFY_FAILED_FAST (exit_1)

    Next: Fix what the check reports; the change is kept in salvage.
      relais fix 20260131T235959Z-0123abcd
          try again from there; the agent is told what failed
    "
  `);
});

test("a builder that ran out of time", () => {
  expect(card("timedOut")).toMatchInlineSnapshot(`
    "✗ Reverted: The builder ran past its time limit and was stopped

      task       Set x to 2.
      change     2 files, +10/-3, 1 new; reverted, kept in salvage
                 src/x.ts, src/y.ts
      cost       not reported; 2 min 05 s
      builder    not isolated, unsandboxed
      code       STOP_BUILDER_TIMEOUT (deadline)

    Next: Make the task smaller or raise the builder's timeout.
      relais history show 20260131T235959Z-0123abcd  full report
    "
  `);
});

test("a tick that was interrupted", () => {
  expect(card("interrupted")).toMatchInlineSnapshot(`
    "✗ Reverted: A signal stopped the tick

      task       Set x to 2.
      change     reverted
      time       2 min 05 s
      code       STOP_INTERRUPTED (sigint)

    Next: Run the same command again to continue.
      relais history show 20260131T235959Z-0123abcd  full report
    "
  `);
});

test("a limit of the service is a wait", () => {
  expect(card("rateLimited")).toMatchInlineSnapshot(`
    "… Waiting
    The agent's service refused the call: rate or usage limit.
    │ I set x to 2.

      task       Set x to 2.
      change     2 files, +10/-3, 1 new; reverted, kept in salvage
                 src/x.ts, src/y.ts
      cost       not reported; 2 min 05 s
      builder    not isolated, unsandboxed
      code       STOP_RATE_LIMITED (until 18:00)

    Next: Wait until the time shown, then run again; the tick was not counted.
      relais history show 20260131T235959Z-0123abcd  full report
    "
  `);
});

test("a question is shown as a question", () => {
  expect(card("question")).toMatchInlineSnapshot(`
    "? Question
    An agent has a question for you.
    │ Which name is wanted?
    │ Both exist.
    │ 1. old
    │ 2. new

      task       Ask which one is wanted.
      change     no change
      time       2 min 05 s
      code       STOP_QUESTION

    Next: relais answer "..."  answer the question
    "
  `);
});

test("a tick that could not start", () => {
  expect(card("dirty")).toMatchInlineSnapshot(`
    "✗ Not started: The working tree has uncommitted changes
    │ 2 paths are not committed: src/a.ts, src/b.ts.

      time       2 min 05 s
      code       BLOCKED_DIRTY_WORKTREE

    Next: Commit them, or \`git stash -u\`; \`relais run "..." --dirty\` begins with
    them.
      git stash -u  stash them
    "
  `);
});

test("a task that was refused before anybody was paid", () => {
  expect(card("tainted")).toMatchInlineSnapshot(`
    "✗ Stopped: A check could not be run safely: an unknown template, or a
      parameter that is missing, extra or not allowed
    │ There is no template \`lnt\`.

      change     no change
      time       2 min 05 s
      code       STOP_VERIFY_TAINTED (unknown_template)

    Next: Use template ids and parameters from relais.config.json; nothing was run.
      relais history show 20260131T235959Z-0123abcd  full report
    "
  `);
});

test("a repository that could not be reverted", () => {
  expect(card("rollbackFailed")).toMatchInlineSnapshot(`
    "✗ Not reverted
    The repository could not be restored exactly.
    │ the repository is still different
    │ I set x to 2.

      task       Set x to 2.
      change     NOT restored exactly
                 src/x.ts, src/y.ts
                 ✗ not put back: src/locked.ts
                 ✗ not put back: git: HEAD
      cost       $0.12, 12,345 tokens in, 678 out; 2 min 05 s
      builder    not isolated, unsandboxed
      code       BLOCKED_ROLLBACK_FAILED

    Next: Run \`relais recover\` first; the report lists what still differs, \`relais
    salvage list\` what was kept.
      relais recover  restore the rest
    "
  `);
});

test("an attempt that failed and was committed is not looked for in salvage", () => {
  const report = reportOf(TICKS.failedCheck);
  const settle = { action: "commit" as const, commit: "a".repeat(40), branch: "topic" };
  const text = renderTickCard({ ...report, settle, pointers: {} }, canvas);
  expect(text).toContain("the attempt is committed");
  expect(text).toContain("git show aaaaaaaaaaaa");
});

test("a narrow terminal gets narrow lines", () => {
  expect(renderTickCard(reportOf(TICKS.failedCheck), { style: plainStyle, columns: 50 })).toMatchInlineSnapshot(`
    "✗ Reverted: lint failed (exit status 1)
    │ I set x to 2.

      task       Set x to 2.
      change     2 files, +10/-3, 1 new; reverted,
                 kept in salvage
                 src/x.ts, src/y.ts
      checks     ✗ lint 840 ms, exit status 1
      cost       $0.12, 12,345 tokens in, 678 out;
                 2 min 05 s
      builder    not isolated, unsandboxed
      code       STOP_VERIFY_FAILED_FAST (exit_1)

    Next: Fix what the check reports; the change is
    kept in salvage.
      relais fix 20260131T235959Z-0123abcd
          try again from there; the agent is told what
          failed
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
    const coloured = renderTickCard(report, { style: colouredStyle, columns: 80 });
    expect(coloured).toContain("\u001b[");
    expect(uncoloured(coloured)).toBe(renderTickCard(report, canvas));
  }
});

test("whatever the names are, nothing but our own sequences reaches the terminal and no line is too long", () => {
  fc.assert(
    fc.property(arbitraryReport, fc.integer({ min: 40, max: 160 }), (report, columns) => {
      const text = renderTickCard(report, { style: plainStyle, columns });
      const lines = text.split("\n");
      expect(lines.join("")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      // A name without spaces is the one thing that cannot be broken, and one code is longer than forty columns.
      const tooLong = lines.filter((line) => measureDisplayWidth(line) > columns && line.trim().includes(" "));
      expect(tooLong).toEqual([]);
    }),
    runs(200),
  );
});

const codes = Object.keys(CODES).filter((code): code is Code => code in CODES);

test.each(codes)("after %s there are one to three commands to type", (code) => {
  const report = reportOf(TICKS.outsideScope, { code, verdict: CODES[code].verdict });
  const commands = renderNextSteps(report).map(({ command }) => command);
  expect(commands.length).toBeGreaterThanOrEqual(1);
  expect(commands.length).toBeLessThanOrEqual(3);
  expect(new Set(commands).size).toBe(commands.length);
});

const DECIDED: readonly Code[] = ["STOP_REJECTED", "STOP_UNDECIDED"];

test.each(DECIDED)("after %s the work comes first: nothing is wrong with it", (code) => {
  expect(renderNextSteps(reportOf(TICKS.outsideScope, { code })).map(({ command }) => command)).toEqual([
    `relais salvage show ${RUN}`,
    `relais history show ${RUN}`,
  ]);
});

const RED: readonly Code[] = ["STOP_VERIFY_FAILED_FAST", "STOP_VERIFY_FAILED_SLOW"];

test.each(RED)("after %s the first command tries again, and the next shows what the check printed", (code) => {
  const commands = renderNextSteps(reportOf(TICKS.outsideScope, { code })).map(({ command }) => command);
  expect(commands).toEqual([`relais fix ${RUN}`, `relais log ${RUN}`, `relais salvage show ${RUN}`]);
});

const OTHER = ["STOP_QUESTION", "STOP_SUSPECT", "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", ...DECIDED, ...RED];

test.each(codes.filter((code) => CODES[code].verdict === "stop" && !OTHER.includes(code)))(
  "after %s the tick, the work and the code can be looked at",
  (code) => {
    expect(renderNextSteps(reportOf(TICKS.outsideScope, { code })).map(({ command }) => command)).toEqual([
      `relais history show ${RUN}`,
      `relais salvage show ${RUN}`,
      `relais explain ${code}`,
    ]);
  },
);

test("a held change quotes its place, and is kept with one command", () => {
  const finding = {
    gate: "suppression",
    code: "STOP_SUSPECT",
    subject: "src/a.test.ts:3",
    rule: "It adds a skipped test (rule `suppression`): `it.skip(…)`",
    glob: null,
  } as const;
  const held = { code: "STOP_SUSPECT", cause: "suppression" } as const;
  const report = reportOf(TICKS.outsideScope, { ...held, findings: [finding], findings_total: 1 });
  expect(renderTickCard(report, canvas)).toMatch(/^\? Held: src\/a\.test\.ts:3 adds a skipped test: `it\.skip\(…\)`/u);
  expect(renderNextSteps(report).map(({ command }) => command)).toEqual([
    `relais accept ${RUN}`,
    `relais diff ${RUN}`,
    `relais reject ${RUN} --reason "..."`,
  ]);
});

test("the agent's words are shown once where they are the message", () => {
  const words = "Nothing to do: x is 2 already.";
  const said = { notes: [`the builder says: ${words}`], notes_total: 1, message: `${words}\n` };
  for (const code of ["STOP_NO_CHANGE", "STOP_INTERRUPTED"] as const) {
    const text = renderTickCard(reportOf(TICKS.outsideScope, { code, ...said }), canvas);
    expect(text.split(words)).toHaveLength(2);
  }
});

test("a tick that never had a task is stopped, not reverted", () => {
  const report = reportOf(TICKS.outsideScope, { code: "STOP_INTERRUPTED", cause: "max_turns", task: null });
  expect(renderTickCard(report, canvas)).toMatch(/^✗ Stopped: /u);
});
