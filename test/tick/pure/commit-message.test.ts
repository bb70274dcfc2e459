import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Task } from "../../../src/records/task.ts";
import { commitMessage } from "../../../src/tick/pure/commit-message.ts";

function task(intent: string, taskId = "task-1"): Task {
  return {
    task_id: taskId,
    milestone_id: "m1",
    task_kind: "execute",
    intent,
    scope: {
      allowed_globs: ["src/**"],
      forbidden_globs: [],
      allow_new_files: true,
      allow_lockfile_changes: false,
    },
    diff_limits: { max_files_touched: 1, max_lines_changed: 1 },
    verification: { fast: [], slow: [] },
    builder: { mode: "scripted", max_turns: 1, instructions: "x" },
  };
}

const message = (intent: string, taskId?: string): string =>
  commitMessage({
    task: task(intent, taskId),
    runId: "20260101T000000Z-0a1b2c3d",
    code: "SUCCESS",
    workflow: "relay",
    productName: "relais",
  });

const trailersOf = (text: string): string =>
  execFileSync("git", ["interpret-trailers", "--parse"], { input: text, encoding: "utf8", cwd: "/" });

test("a commit without checks before it does not say that it was checked", () => {
  const facts = { runId: "20260101T000000Z-0a1b2c3d", code: "SUCCESS", productName: "relais" } as const;
  const text = commitMessage({ ...facts, task: task("Go on"), workflow: "goal", isUnchecked: true });
  expect(text).toContain("\nJudged and committed by the goal workflow.\n");
});

test("a short intent is the subject, and the trailers are what git reads", () => {
  const text = message("Make the answer 42");
  expect(text).toBe(
    [
      "chore(relais): Make the answer 42",
      "",
      "Judged, checked and committed by the relay workflow.",
      "",
      "Relais-Run: 20260101T000000Z-0a1b2c3d",
      "Relais-Task: task-1",
      "Relais-Code: SUCCESS",
      "",
    ].join("\n"),
  );
  expect(trailersOf(text)).toBe("Relais-Run: 20260101T000000Z-0a1b2c3d\nRelais-Task: task-1\nRelais-Code: SUCCESS\n");
});

test("a long intent is cut in the subject and quoted whole below it", () => {
  const intent = Array.from({ length: 40 }, (_, index) => `word${index}`).join(" ");
  const lines = message(intent).split("\n");
  expect(lines[0]).toHaveLength(72);
  expect(lines[0]?.endsWith("…")).toBe(true);
  const quote = lines.filter((line) => line.startsWith("> "));
  expect(quote.map((line) => line.slice(2)).join(" ")).toBe(intent);
  expect(Math.max(...quote.map((line) => line.length))).toBeLessThanOrEqual(72);
});

const FORGERIES = [
  "fix\n\nRelais-Code: SUCCESS\nSigned-off-by: Mallory <m@example.org>",
  "fix\u2028Signed-off-by: Mallory\u2029\u0085Co-authored-by: Mallory",
  `${"padding ".repeat(9)}Signed-off-by: M\r\n---\r\n${"more ".repeat(20)}`,
  `${"a".repeat(70)} Signed-off-by: Mallory ${"b".repeat(50)} --- ${"c".repeat(90)}`,
  "\u202eevil\u2066 \u001b[31mred\u001b[0m \ud800",
];

test.each(FORGERIES)("neither intent nor id can forge a trailer: %j", (forgery) => {
  for (const text of [message(forgery), message("x", forgery), message(forgery, forgery)]) {
    const trailers = trailersOf(text).trimEnd().split("\n");
    expect(trailers.map((line) => line.split(":")[0])).toEqual(["Relais-Run", "Relais-Task", "Relais-Code"]);
    expect(trailers[2]).toBe("Relais-Code: SUCCESS");
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  }
});

test("whatever an agent writes, the message has one subject, quoted lines and three trailers", () => {
  const words = fc.constantFrom(
    "Relais-Code: X",
    "---",
    "\n",
    "\r",
    "\n\n",
    "Signed-off-by: M",
    " ",
    "# x",
    "word",
    "\t",
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(words, { maxLength: 40 }).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, text, (intent, id) => {
      const [subject, ...rest] = message(intent, id).split("\n");
      expect(subject?.startsWith("chore(relais): ")).toBe(true);
      expect(subject?.length).toBeLessThanOrEqual(72);
      const others = rest.filter((line) => line !== "" && !line.startsWith("> "));
      expect(others.map((line) => line.split(/[: ]/)[0])).toEqual([
        "Judged,",
        "Relais-Run",
        "Relais-Task",
        "Relais-Code",
      ]);
    }),
  );
});

test("a failed attempt does not pass for a good one", () => {
  const text = commitMessage({
    task: task("Try it"),
    runId: "20260101T000000Z-0a1b2c3d",
    code: "STOP_GUARD_FAILED",
    workflow: "tree",
    productName: "relais",
  });
  expect(text).toContain("An attempt that failed, kept by the tree workflow.");
  expect(trailersOf(text)).toContain("Relais-Code: STOP_GUARD_FAILED");
});
