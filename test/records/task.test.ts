import { expect, test } from "vitest";
import { parseWith } from "../../src/base/schema-error.ts";
import { Task } from "../../src/records/task.ts";
import { controlTask, executeTask, patchBuilder, questionTask, verifyOnlyTask } from "../support/tasks.ts";

const { builder, ...withoutBuilder } = executeTask;
const { task_kind: _kind, ...withoutKind } = executeTask;

test.each([
  ["execute", executeTask],
  ["execute with a patch", { ...executeTask, builder: patchBuilder }],
  ["execute with a patch and instructions", { ...executeTask, builder: { ...builder, ...patchBuilder } }],
  ["execute by codex", { ...executeTask, builder: { ...builder, mode: "codex" } }],
  ["execute by an own program", { ...executeTask, builder: { ...builder, mode: "command" } }],
  ["execute by a script", { ...executeTask, builder: { ...builder, mode: "scripted" } }],
  [
    "parameters of every type",
    {
      ...executeTask,
      verification: { fast: ["a"], slow: [], params: { a: { text: "x", int: 1, yes: true, none: null } } },
    },
  ],
  ["verify_only", verifyOnlyTask],
  ["verify_only with a builder", { ...verifyOnlyTask, builder }],
  ["question", questionTask],
  ["question with choices", { ...questionTask, question: { prompt: "Which?", choices: ["a", "b"] } }],
  ["question with everything but a builder", { ...withoutBuilder, ...questionTask }],
  ["control stop", controlTask],
  ["control continue", { ...controlTask, control: { action: "continue" }, intent: "Wait." }],
])("%s is a task", (_, task) => {
  expect(parseWith(Task, task)).toEqual({ kind: "valid", value: task });
});

const refusals: readonly (readonly [string, unknown, string])[] = [
  ["no builder", withoutBuilder, "`builder` is missing, expected an object"],
  [
    "neither kind nor control",
    withoutKind,
    '`control` is missing: a task has either `task_kind` ("execute", "verify_only" or "question") or `control`, and here is neither',
  ],
  [
    "kind and control",
    { ...executeTask, control: { action: "stop" } },
    "`control` is not allowed here: a task has either `task_kind` or `control`, never both",
  ],
  [
    "a misspelled kind",
    { ...executeTask, task_kind: "excute" },
    '`task_kind` is the text "excute", expected one of "execute", "verify_only", "question", did you mean "execute"?',
  ],
  [
    "a kind that is no text",
    { ...executeTask, task_kind: 3 },
    '`task_kind` is the number 3, expected one of "execute", "verify_only", "question"',
  ],
  [
    "a question with a builder",
    { ...questionTask, builder },
    "`builder` is not allowed here: a question goes to a person, so it has no builder",
  ],
  ["a question without one", { ...questionTask, question: undefined }, "`question` is nothing, expected an object"],
  [
    "control with a builder",
    { ...controlTask, builder },
    "`builder` is not allowed here: a task with `control` has no builder",
  ],
  [
    "control with a scope",
    { ...controlTask, scope: executeTask.scope },
    "`scope` is not allowed here: a task with `control` changes nothing and checks nothing",
  ],
  [
    "an unknown action",
    { ...controlTask, control: { action: "halt" } },
    '`control.action` is the text "halt", expected "continue" or "stop"',
  ],
  [
    "patch mode without a patch",
    { ...executeTask, builder: { ...builder, mode: "patch" } },
    "`builder.patch` is missing, expected a text",
  ],
  [
    "a patch in another mode",
    { ...executeTask, builder: { ...builder, patch: "x" } },
    '`builder.patch` is not allowed here: only a builder of mode "patch" carries a patch',
  ],
  [
    "an unknown mode",
    { ...executeTask, builder: { ...builder, mode: "claude" } },
    '`builder.mode` is the text "claude", expected one of "claude_code", "command", "codex", "scripted", "cursor", "patch", did you mean "claude_code"?',
  ],
  [
    "no mode",
    { ...executeTask, builder: { max_turns: 1, instructions: "x" } },
    '`builder.mode` is missing, expected one of "claude_code", "command", "codex", "scripted", "cursor", "patch"',
  ],
  [
    "too many turns",
    { ...executeTask, builder: { ...builder, max_turns: 1001 } },
    "`builder.max_turns` is the number 1001, expected at most 1000",
  ],
  [
    "half a turn",
    { ...executeTask, builder: { ...builder, max_turns: 1.5 } },
    "`builder.max_turns` is the number 1.5, expected a whole number",
  ],
  [
    "a misspelled key",
    { ...executeTask, scope: { ...executeTask.scope, alowed_globs: [] } },
    "unknown key `scope.alowed_globs`, did you mean `allowed_globs`?",
  ],
  [
    "an empty scope",
    { ...executeTask, scope: { ...executeTask.scope, allowed_globs: [] } },
    "`scope.allowed_globs` is a list of 0 entries, expected at least 1 entry",
  ],
  ...["!src/**", "/etc/**", "../x", "a/../b", "..", "a/..", "a\0b"].map((glob): readonly [string, unknown, string] => [
    `the glob ${JSON.stringify(glob)}`,
    { ...executeTask, scope: { ...executeTask.scope, forbidden_globs: ["ok", glob] } },
    `\`scope.forbidden_globs[1]\` is the text ${JSON.stringify(glob)}: a glob must not begin with \`!\` or \`/\` and must not contain \`..\` or NUL`,
  ]),
  ["a list", [executeTask], "the document is a list, expected an object"],
  ["null", null, "the document is null, expected an object"],
  ["a text", "execute", 'the document is the text "execute", expected an object'],
];

test.each(refusals)("%s is refused in one sentence", (_, task, message) => {
  const parsed = parseWith(Task, task);
  expect(parsed.kind === "invalid" ? parsed.problems.map((problem) => problem.message) : parsed).toEqual([message]);
});

test.each(["a..b", "**/..x", "x../y", "src/[id].ts", ".github/**", "a b", "é/**"])("the glob %s is fine", (glob) => {
  const scope = { ...executeTask.scope, allowed_globs: [glob] };
  expect(parseWith(Task, { ...executeTask, scope }).kind).toBe("valid");
});
