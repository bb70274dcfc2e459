import { expect, test } from "vitest";
import {
  renderActOpening,
  renderDemoClosing,
  renderDemoOpening,
  renderStepEnding,
  renderStepOpening,
} from "../../src/cards/demo-text.ts";
import { plainStyle } from "../../src/base/style.ts";
import { measureDisplayWidth } from "../../src/base/wrap-text.ts";

const act = {
  title: "An act",
  about: "Something is shown, and a few more words are said about what it is.",
  root: "/tmp/d/it's a shop",
  next: [{ command: "../relais history list", explains: "every tick" }],
};
const tickStep = {
  title: "A title",
  tick: {
    asked: "Do something that takes a few words to be said, and then a few more.",
    does: ["does it", "and does something else that nobody asked for, at some length"],
    says: "Done.",
    code: "SUCCESS" as const,
    commits: [],
    script: [],
  },
};
const crashed = {
  ran: [{ line: "relais run", end: "SIGKILL", isAsExpected: true, stdout: "", stderr: "" }],
  claims: [],
  isAsExpected: true,
};

const stepOutcome = {
  ran: [
    {
      line: "relais tree run",
      end: 10,
      isAsExpected: false,
      stdout: `\n\u001b[31mred\n\n  ${"wide ".repeat(30)}\n`,
      stderr: "a complaint\n",
    },
  ],
  claims: [
    { words: "the root passes", isTrue: false },
    { words: "git status is clean", isTrue: true },
  ],
  isAsExpected: false,
};

test("a step shows what was typed and answered, and does not hide what was not foretold", () => {
  const lines = renderStepEnding(stepOutcome, { style: plainStyle, columns: 60 }).split("\n");
  expect(lines[0]).toBe("  $ relais tree run");
  expect(lines[2]).toBe("  │");
  for (const line of lines.slice(3, 6)) expect(line).toMatch(/^ {2}│ {3}(?:wide ?)+$/);
  expect(lines[6]).toBe("  │ a complaint");
  const rest = lines.slice(7).join("\n");
  for (const words of [
    "✗ unexpected end: exit status 10",
    "✗ NOT true: the root passes",
    "✓ git status is clean",
    "Unexpected result",
  ])
    expect(rest).toContain(words);
  expect(lines.join("")).not.toContain("\u001b");
});

test("what is not as it should be is said without grace, and a crash that must be is no fault", () => {
  const canvas = { style: plainStyle, columns: 100 };
  const closing = renderDemoClosing(
    { acts: [{ ...act, outcomes: [stepOutcome, stepOutcome] }], durationMs: 3210 },
    canvas,
  );
  expect(closing).toContain("0 of 2 as expected, in 3.2 s.");
  expect(closing).toContain(String.raw`cd '/tmp/d/it'\''s a shop'`);
  expect(renderStepEnding(crashed, canvas)).toContain("relais was killed (SIGKILL)");
  expect(renderStepEnding(crashed, canvas)).not.toContain("✗");
  expect(
    renderStepEnding(
      {
        ...crashed,
        ran: [{ line: "relais run", end: "SIGTERM", isAsExpected: false, stdout: "", stderr: "" }],
      },
      canvas,
    ),
  ).toContain("✗ unexpected end: SIGTERM");
});

test("a step that is one tick says what was asked, done and said", () => {
  expect(
    renderStepOpening(tickStep, 2, { style: plainStyle, columns: 100 })
      .split("\n")
      .map((one) => one.trim()),
  ).toEqual([
    "",
    "2. A title",
    "asked      Do something that takes a few words to be said, and then a few more.",
    "builder    - does it",
    "- and does something else that nobody asked for, at some length",
    'it says    "Done."',
    "",
  ]);
});

test("it fits a narrow terminal, but for commands that must stay whole", () => {
  const canvas = { style: plainStyle, columns: 44 };
  const text = [
    renderDemoOpening({ folder: "/tmp/d" }, canvas),
    renderActOpening(act, canvas),
    renderStepOpening(act, 1, canvas),
    renderStepEnding(stepOutcome, canvas),
    renderStepOpening(tickStep, 1, canvas),
    renderStepEnding(crashed, canvas),
    renderDemoClosing({ acts: [{ ...act, root: "/tmp/d/shop", outcomes: [] }], durationMs: 1 }, canvas),
  ].join("");
  expect(text.split("\n").filter((line) => measureDisplayWidth(line) > 44)).toEqual([]);
});
