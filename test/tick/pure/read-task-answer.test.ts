import fc from "fast-check";
import { expect, test } from "vitest";
import { answerExcerpt, readTaskAnswer } from "../../../src/tick/pure/read-task-answer.ts";
import { executeTask, questionTask } from "../../support/tasks.ts";

const read = (text: string) => readTaskAnswer(Buffer.from(text));

test("a task is read, alone or in a fence", () => {
  expect(read(JSON.stringify(questionTask))).toEqual({ kind: "task", task: questionTask, also: [] });
  expect(read(`\`\`\`json\n${JSON.stringify(executeTask)}\n\`\`\`\n`)).toMatchObject({ kind: "task" });
});

test("every problem of a task is named, up to a number that can be read", () => {
  const keys = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`extra_${index}`, 1]));
  const answer = read(JSON.stringify({ ...executeTask, ...keys }));
  expect(answer).toMatchObject({ kind: "invalid", cause: "answer_invalid" });
  expect(answer.kind === "invalid" && answer.message).toMatch(/extra_0[\s\S]*and 22 more$/);
});

test("an excerpt is short and shows what hides in it, whatever the bytes are", () => {
  expect(answerExcerpt(Buffer.from("a\u202e\u001bb"))).toBe("a\\u{202e}\\u{1b}b");
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 5000 }), (data) => {
      const excerpt = answerExcerpt(data);
      expect(excerpt.length).toBeLessThanOrEqual(600);
      expect(excerpt).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}]/u);
    }),
  );
});

const readRound = (...tasks: readonly object[]) => readTaskAnswer(Buffer.from(JSON.stringify({ tasks })), 2);

test("several tasks are read where several may come", () => {
  const other = { ...executeTask, task_id: "T-other" };
  expect(readRound(executeTask, other)).toEqual({ kind: "task", task: executeTask, also: [other] });
  expect(readRound(questionTask)).toEqual({ kind: "task", task: questionTask, also: [] });
  expect(read(JSON.stringify({ tasks: [executeTask] }))).toMatchObject({ kind: "invalid" });
});

test.each([
  [[executeTask, executeTask], "the same task_id"],
  [[executeTask, questionTask], 'only tasks of kind "execute"'],
  [[executeTask, { ...executeTask, task_id: "T-2", milestone_id: "M-2" }], "belong to one milestone"],
  [[1, 2, 3].map((n) => ({ ...executeTask, task_id: `T-${n}` })), "at most 2 tasks"],
])("tasks that are no round are refused with the reason", (tasks, reason) => {
  expect(readRound(...tasks)).toMatchObject({ kind: "invalid", message: expect.stringContaining(reason) });
});
