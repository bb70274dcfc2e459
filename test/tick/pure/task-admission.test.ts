import { expect, test } from "vitest";
import type { Config } from "../../../src/config/config.ts";
import { parseConfig } from "../../../src/config/parse-config.ts";
import { parseWith } from "../../../src/base/schema-error.ts";
import { Task } from "../../../src/records/task.ts";
import { NOTHING_SPENT } from "../../../src/tick/pure/budget.ts";
import { admitTask } from "../../../src/tick/pure/task-admission.ts";
import { controlTask, executeTask, patchBuilder, questionTask, verifyOnlyTask } from "../../support/tasks.ts";

function config(document: object = {}): Config {
  const parsed = parseConfig(document);
  if (parsed.kind !== "valid") throw new Error(`the fixture is no configuration: ${JSON.stringify(parsed)}`);
  return parsed.value;
}

function taskOf(document: object): Task {
  const parsed = parseWith(Task, document);
  if (parsed.kind !== "valid") throw new Error(`the fixture is no task: ${JSON.stringify(parsed)}`);
  return parsed.value;
}

const START = { milestone_id: "M-1", budgets: NOTHING_SPENT, series: null, patch_attempts: 0 };

interface Case {
  readonly task?: object;
  readonly config?: object;
  readonly state?: Partial<typeof START>;
}

function admit({ task = executeTask, config: document = {}, state = {} }: Case) {
  return admitTask({ config: config(document), task: taskOf(task), state: { ...START, ...state } });
}

const command = { command: "driver" };

test.each<[string, Case]>([
  ["a good task", {}],
  ["a check of what is there", { task: verifyOnlyTask }],
  ["a question", { task: questionTask }],
  [
    "a question whose scope and checks mean nothing",
    {
      task: {
        ...questionTask,
        scope: { ...executeTask.scope, allowed_globs: ["a{b"] },
        verification: { fast: ["nope"], slow: [] },
      },
    },
  ],
  ["control of the loop", { task: controlTask }],
  ["a patch", { task: { ...executeTask, builder: patchBuilder } }],
  ["the last patch", { task: { ...executeTask, builder: patchBuilder }, state: { patch_attempts: 9 } }],
  [
    "the first patch of another milestone",
    {
      task: { ...executeTask, builder: patchBuilder },
      state: { patch_attempts: 10, milestone_id: "M-0" },
    },
  ],
  [
    "the configured program",
    {
      task: { ...executeTask, builder: { ...executeTask.builder, mode: "command" } },
      config: { builder: { default_mode: "command", command } },
    },
  ],
  [
    "the older name of the mode",
    {
      task: { ...executeTask, builder: { ...executeTask.builder, mode: "cursor" } },
      config: { builder: { default_mode: "command", command } },
    },
  ],
  [
    "the older name of the key",
    {
      task: { ...executeTask, builder: { ...executeTask.builder, mode: "command" } },
      config: { builder: { default_mode: "cursor", cursor: command } },
    },
  ],
  [
    "the driver of the role, which wins",
    {
      task: { ...executeTask, builder: { ...executeTask.builder, mode: "command" } },
      config: { roles: { builder: { driver: "command" } }, builder: { command } },
    },
  ],
  [
    "the first checks of another milestone",
    { state: { budgets: { ...NOTHING_SPENT, verify_runs: 6000 }, milestone_id: "M-0" } },
  ],
])("%s is admitted", (_, given) => {
  expect(admit(given)).toEqual({ kind: "admitted" });
});

test.each<[string, Case, string, string, RegExp]>([
  [
    "an allowed glob that cannot be read",
    { task: { ...executeTask, scope: { ...executeTask.scope, allowed_globs: ["src/**", "a{b"] } } },
    "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID",
    "task_glob_invalid",
    /^scope\.allowed_globs: the glob `a\{b` has braces that do not pair\.$/,
  ],
  [
    "a forbidden glob that cannot be read",
    { task: { ...verifyOnlyTask, scope: { ...executeTask.scope, forbidden_globs: ["a\\b"] } } },
    "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID",
    "task_glob_invalid",
    /^scope\.forbidden_globs: the glob `a\\b` contains a backslash/,
  ],
  [
    "a builder that is not the configured one",
    { task: { ...executeTask, builder: { ...executeTask.builder, mode: "codex" } } },
    "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID",
    "builder_mode_not_configured",
    /^The task wants the builder `codex`; the configuration has `claude_code` and `patch`\.$/,
  ],
  [
    "a builder that the role does not use, though it is the default",
    { config: { roles: { builder: { driver: "codex" } }, builder: { allow_patch_mode: false } } },
    "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID",
    "builder_mode_not_configured",
    /the configuration has `codex`\.$/,
  ],
  [
    "a builder where only patches are configured",
    { config: { builder: { default_mode: "patch" } } },
    "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID",
    "builder_mode_not_configured",
    /the configuration has `patch`\.$/,
  ],
  [
    "the wrong builder of a check",
    { task: { ...verifyOnlyTask, builder: { ...executeTask.builder, mode: "scripted" } } },
    "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID",
    "builder_mode_not_configured",
    /`scripted`/,
  ],
  [
    "a patch where none is allowed",
    { task: { ...executeTask, builder: patchBuilder }, config: { builder: { allow_patch_mode: false } } },
    "STOP_PATCH_INVALID",
    "patch_mode_not_allowed",
    /allow_patch_mode/,
  ],
  [
    "one patch too many",
    { task: { ...executeTask, builder: patchBuilder }, state: { patch_attempts: 10 } },
    "STOP_PATCH_INVALID",
    "patch_attempts_used_up",
    /^This milestone has had 10 patches; `builder\.patch\.max_patch_attempts_per_milestone` is 10\.$/,
  ],
  [
    "an unknown check",
    { task: { ...executeTask, verification: { fast: ["nope"], slow: [] } } },
    "STOP_VERIFY_TAINTED",
    "template_unknown",
    /^There is no template `nope`\.$/,
  ],
  [
    "a tainted parameter",
    {
      task: {
        ...executeTask,
        verification: { fast: ["test_filter"], slow: [], params: { test_filter: { pkg: "a;rm -rf" } } },
      },
    },
    "STOP_VERIFY_TAINTED",
    "param_refused",
    /^The parameter `pkg` of `test_filter` contains white space\.$/,
  ],
  [
    "more checks than are left",
    { state: { budgets: { ...NOTHING_SPENT, verify_runs: 5999 } } },
    "BLOCKED_BUDGET_EXHAUSTED",
    "verify_runs",
    /5999 of 6000/,
  ],
])("%s is refused before anybody is paid", (_, given, ...[code, cause, message]) => {
  expect(admit(given)).toEqual({ kind: "refused", code, cause, message: expect.stringMatching(message) });
});

test("the first milestone takes over what was counted before it", () => {
  const state = { ...START, milestone_id: null, budgets: { ...NOTHING_SPENT, verify_runs: 6000 } };
  const answer = admitTask({ config: config(), task: taskOf(executeTask), state });
  expect(answer).toMatchObject({ kind: "refused", code: "BLOCKED_BUDGET_CAP" });
});

test("however much is wrong, the message stays short enough for the journal", () => {
  const many = Array.from({ length: 64 }, (_, index) => `${"x".repeat(190)}{${index}`);
  const answer = admit({ task: { ...executeTask, scope: { ...executeTask.scope, allowed_globs: many } } });
  expect(answer).toMatchObject({ kind: "refused", message: expect.stringMatching(/And 59 more\.$/) });
  expect(answer.kind === "refused" ? answer.message.length : 0).toBeLessThan(4000);
});

test("reviewers and the checks of a workflow are paid from the same budget, before anybody begins", () => {
  const question = { config: config(), task: taskOf(executeTask), state: START };
  expect(admitTask({ ...question, reviewers: 2000, ownChecks: 5998 })).toEqual({ kind: "admitted" });
  expect(admitTask({ ...question, reviewers: 2001 })).toMatchObject({ cause: "reviewer_calls" });
  expect(admitTask({ ...question, ownChecks: 5999 })).toMatchObject({ cause: "verify_runs" });
  // Nothing is changed, so nobody is asked.
  expect(admitTask({ ...question, task: taskOf(verifyOnlyTask), reviewers: 2001 })).toEqual({
    kind: "admitted",
  });
});

test("the last of the empty ticks that a series may have is refused", () => {
  const task = taskOf({ ...controlTask, control: { action: "continue" } });
  const after = (empty_ticks: number, document: object = {}) =>
    admitTask({
      config: config(document),
      task,
      state: { ...START, series: { series_id: "series-0001", budgets: NOTHING_SPENT, empty_ticks } },
    });
  expect(after(0)).toEqual({ kind: "admitted" });
  expect(after(1)).toMatchObject({ code: "STOP_NO_PROGRESS", cause: "empty_ticks" });
  expect(after(1, { loop: { breakers: { empty_ticks: 3 } } })).toEqual({ kind: "admitted" });
});

test("a task fixes only checks of its own", () => {
  const verification = { fast: [], slow: ["test"] };
  const document = { verification: { templates: [{ id: "test", cmd: "true" }] } };
  const task = { ...executeTask, verification, fixes: ["tset"] };
  expect(admit({ task, config: document })).toMatchObject({
    cause: "fixes_unknown",
    message: "fixes: `tset` is not a check of the task.",
  });
  expect(admit({ task: { ...task, fixes: ["test"] }, config: document })).toEqual({ kind: "admitted" });
});
