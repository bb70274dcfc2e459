import * as v from "valibot";
import { expect, test } from "vitest";
import { Task } from "../../../src/records/task.ts";
import { executeTask } from "../../support/tasks.ts";
import { addTrailers, draftMessage } from "../../../src/tick/pure/commit-message.ts";

const CONVENTIONAL = ["feat: add a till", "chore(deps): update all", "feat(till): count", "merge"];
const SENTENCES = ["Add a till.", "Count each item.", "Update all packages."];

const draft = (intent: string, subjects: readonly string[], paths: readonly string[] = ["src/a.js"]) =>
  draftMessage({ intent, paths, subjects });

test.each([
  ["Fix the greeting.", ["src/a.js"], "fix: fix the greeting"],
  ["add hex numbers", ["src/a.js", "test/a.test.js"], "feat: add hex numbers"],
  ["say how it works", ["README.md", "docs/a.md"], "docs: say how it works"],
  ["add a test", ["test/a.test.js"], "test: add a test"],
  ["HTTP errors are told apart", ["src/a.js"], "feat: HTTP errors are told apart"],
])("%j is said as most of the last commits say it", (intent, paths, subject) => {
  expect(draft(intent, CONVENTIONAL, paths)).toBe(subject);
});

test("a first letter and a full stop follow the others", () => {
  expect(draft("fix the greeting.", SENTENCES)).toBe("Fix the greeting.");
  expect(draft("Fix the greeting.", ["add a till", "count", "update all"])).toBe("fix the greeting");
});

test("without a style it is the sentence itself, and a long one is quoted whole", () => {
  expect(draft("fix the greeting.", [])).toBe("fix the greeting.");
  expect(draft("fix the greeting.", ["Initial commit"])).toBe("fix the greeting.");
  const long = `fix ${"the greeting ".repeat(20)}`.trim();
  const [subject, , ...rest] = draft(long, []).split("\n");
  expect(subject).toHaveLength(72);
  expect(rest.map((line) => line.slice(2)).join(" ")).toBe(long);
  expect(draft("one\n\nRelais-Run: forged", [])).toBe("one Relais-Run: forged");
});

test("trailers join those that a message ends with, and never its subject", () => {
  const task = { ...v.parse(Task, executeTask), task_id: "T-1" };
  const facts = { task, runId: "R", code: "SUCCESS" } as const;
  const ours = "Relais-Run: R\nRelais-Task: T-1\nRelais-Code: SUCCESS\n";
  expect(addTrailers("fix: it", facts)).toBe(`fix: it\n\n${ours}`);
  expect(addTrailers("Fix it\n\nCloses: 4\n", facts)).toBe(`Fix it\n\nCloses: 4\n${ours}`);
});
