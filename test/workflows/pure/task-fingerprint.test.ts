import * as v from "valibot";
import { expect, test } from "vitest";
import { Task } from "../../../src/records/task.ts";
import { fingerprintTask } from "../../../src/workflows/pure/breakers.ts";
import { laidOver } from "../../support/scenario-documents.ts";
import { executeTask } from "../../support/tasks.ts";

const fingerprint = (over: object = {}): string => fingerprintTask(v.parse(Task, laidOver(executeTask, over)));

test.each([
  ["another number", { task_id: "T-999" }],
  ["other white space and case", { intent: `  ${executeTask.intent.toUpperCase()}\n` }],
])("%s makes the same attempt", (_, over) => {
  expect(fingerprint(over)).toBe(fingerprint());
});

test.each([
  ["other words", { intent: "Something else." }],
  ["other globs", { scope: { allowed_globs: ["lib/**"] } }],
  ["new files", { scope: { allow_new_files: !executeTask.scope.allow_new_files } }],
  ["lockfiles", { scope: { allow_lockfile_changes: !executeTask.scope.allow_lockfile_changes } }],
  ["more lines", { diff_limits: { max_lines_changed: 399 } }],
  ["more files", { diff_limits: { max_files_touched: 11 } }],
  ["more turns", { builder: { max_turns: 33 } }],
  ["another value for a check", { verification: { params: { find: { word: "other" } } } }],
])("%s makes another attempt", (_, over) => {
  expect(fingerprint(over)).not.toBe(fingerprint());
});
