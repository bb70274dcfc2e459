import { expect, test } from "vitest";
import { stepEnding, stepOpening } from "../../src/view/setup/demo-step-text.ts";
import {
  actOpening,
  demoClosing,
  demoOpening,
  sceneEnding,
  sceneOpening,
} from "../../src/view/setup/demo-text.ts";
import { plainStyle } from "../../src/view/text/style.ts";
import { displayWidth } from "../../src/view/text/wrap-text.ts";
import { reportOf, TICKS } from "../support/ticks.ts";

const act = {
  title: "An act",
  about: "Something is shown, and a few more words are said about what it is.",
  root: "/tmp/d/it's a shop",
  next: [{ command: "../relais history list", explains: "every tick" }],
};
const scene = {
  title: "A title",
  asked: "Do something that takes a few words to be said, and then a few more.",
  does: ["does it", "and does something else that nobody asked for, at some length"],
  says: "Done.",
  code: "SUCCESS",
} as const;
const look = (head: string, sha256: string, status: readonly string[] = []) => ({
  head: head.repeat(40),
  status,
  fingerprint: { sha256, files: 12 },
});
const outcome = {
  scene,
  report: reportOf(TICKS.accepted),
  killedBy: "SIGKILL",
  damage: [" M src/\u001b[31mtill"],
  before: look("a", "1"),
  after: look("b", "2", ["?? left"]),
  committed: null,
  isAsTold: false,
};

const stepOutcome = {
  ran: [
    {
      line: "relais tree run",
      status: 10,
      isAsTold: false,
      stdout: `\n\u001b[31mred\n\n  ${"wide ".repeat(30)}\n`,
      stderr: "a complaint\n",
    },
  ],
  claims: [
    { words: "the root passes", isTrue: false },
    { words: "git status is clean", isTrue: true },
  ],
  isAsTold: false,
};

test("a step shows what was typed and answered, and does not hide what was not foretold", () => {
  const lines = stepEnding(stepOutcome, { style: plainStyle, columns: 60 }).split("\n");
  expect(lines[0]).toBe("  $ relais tree run");
  expect(lines[2]).toBe("  │");
  expect(lines[3]).toMatch(/^ {2}│ {3}wide wide .*…$/);
  expect(lines[4]).toBe("  │ a complaint");
  const rest = lines.slice(5).join("\n");
  for (const words of [
    "✗ it ended with exit status 10",
    "✗ NOT so: the root passes",
    "✓ git status is clean",
    "not how it should have ended",
  ])
    expect(rest).toContain(words);
  expect(lines.join("")).not.toContain("\u001b");
});

test("what is not as it should be is said without grace", () => {
  const canvas = { style: plainStyle, columns: 100 };
  const text = sceneEnding(outcome, canvas);
  expect(text).toContain("✗ NOT so: 12 files, git's own data included, are byte for byte as before");
  expect(text).toContain("✗ NOT so: HEAD is still bbbbbbbbbbbb");
  expect(text).toContain("✗ NOT so: git status is clean");
  expect(text).toContain("This is not how it should have ended");
  const closing = demoClosing({ acts: [{ ...act, outcomes: [outcome, outcome] }], durationMs: 3210 }, canvas);
  expect(closing).toContain("0 of 2 came out as they should, in 3.2 s.");
  expect(closing).toContain(String.raw`cd '/tmp/d/it'\''s a shop'`);
});

test("names from the repository cannot speak to the terminal", () => {
  expect(sceneEnding(outcome, { style: plainStyle, columns: 80 })).not.toContain("\u001b");
});

test("it fits a narrow terminal, but for commands that must stay whole", () => {
  const canvas = { style: plainStyle, columns: 44 };
  const text = [
    demoOpening({ folder: "/tmp/d" }, canvas),
    actOpening(act, canvas),
    stepOpening({ step: act, at: 1 }, canvas),
    stepEnding(stepOutcome, canvas),
    sceneOpening({ scene, at: 1 }, canvas),
    sceneEnding(outcome, canvas),
    demoClosing({ acts: [{ ...act, root: "/tmp/d/shop", outcomes: [] }], durationMs: 1 }, canvas),
  ].join("");
  expect(text.split("\n").filter((line) => displayWidth(line) > 44)).toEqual([]);
});
