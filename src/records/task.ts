/**
 * One task, from the orchestrator or from a person. There are four kinds, by `task_kind`, or `control` without a kind.
 * Keys of another kind are listed here with the reason for their refusal, because an agent that reads "unknown key"
 * only tries another spelling.
 */
import * as v from "valibot";
import { CheckRule } from "../base/check-rules.ts";
import { limitedText, TURNS_MAX } from "../base/quantity.ts";
import { MilestoneId, TaskId } from "../base/identifier.ts";
import { TaskGlob } from "../base/repository-path.ts";

const refuseUnless = (reason: string) => v.exactOptional(v.never(reason));

const Intent = limitedText(1200);

const TaskScope = v.strictObject({
  allowed_globs: v.pipe(v.array(TaskGlob), v.minLength(1), v.maxLength(64)),
  forbidden_globs: v.pipe(v.array(TaskGlob), v.maxLength(64)),
  allow_new_files: v.boolean(),
  allow_lockfile_changes: v.boolean(),
});

const TaskDiffLimits = v.strictObject({
  max_files_touched: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(500)),
  max_lines_changed: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(20_000)),
});

const TemplateIds = v.pipe(v.array(limitedText(64)), v.maxLength(16));

const TaskVerification = v.strictObject({
  fast: TemplateIds,
  slow: TemplateIds,
  /** By template id, then by parameter. The template decides which values are valid. */
  params: v.exactOptional(
    v.record(v.string(), v.record(v.string(), v.union([v.string(), v.number(), v.boolean(), v.null()]))),
  ),
});

const MaxTurns = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(TURNS_MAX));
/** A text of several pages: people write down what they want in a file, too. */
export const INSTRUCTIONS_CHARS_MAX = 32_000;
const Instructions = limitedText(INSTRUCTIONS_CHARS_MAX);

/** A task carries a patch, or uses the configured driver. */
const TaskBuilder = v.variant("mode", [
  v.strictObject({
    mode: v.picklist(["claude_code", "command", "codex", "scripted", "cursor"]),
    max_turns: v.exactOptional(MaxTurns),
    instructions: Instructions,
    patch: refuseUnless('only a builder of mode "patch" carries a patch'),
  }),
  v.strictObject({
    mode: v.literal("patch"),
    max_turns: v.exactOptional(MaxTurns),
    instructions: v.exactOptional(Instructions),
    patch: limitedText(500_000),
  }),
]);

const Question = v.strictObject({
  prompt: limitedText(2000),
  choices: v.exactOptional(v.pipe(v.array(limitedText(200)), v.maxLength(12))),
});

const NO_CONTROL = "a task has either `task_kind` or `control`, never both";

const ExecuteTask = v.strictObject({
  task_id: TaskId,
  milestone_id: MilestoneId,
  task_kind: v.literal("execute"),
  intent: Intent,
  scope: TaskScope,
  diff_limits: TaskDiffLimits,
  verification: TaskVerification,
  builder: TaskBuilder,
  /** Whether "nothing has to change" is a valid result. */
  allow_no_change: v.exactOptional(v.boolean()),
  /** Checks that fail before the build and must pass afterwards. */
  fixes: v.exactOptional(TemplateIds),
  /** Tests and files of the checks that a person's task is to change: the old ones do not count there. */
  update_tests: v.exactOptional(v.pipe(v.array(TaskGlob), v.minLength(1), v.maxLength(64))),
  /** Rules about weakened checks that only make a note. They count in a person's own task only. */
  allows: v.exactOptional(v.pipe(v.array(CheckRule), v.maxLength(CheckRule.options.length))),
  question: refuseUnless('only a task of kind "question" asks one'),
  control: refuseUnless(NO_CONTROL),
});

const NO_CHANGE_ANYWAY = 'only a task of kind "execute" is to change something';

const VerifyOnlyTask = v.strictObject({
  ...ExecuteTask.entries,
  task_kind: v.literal("verify_only"),
  allow_no_change: refuseUnless(NO_CHANGE_ANYWAY),
  allows: refuseUnless(NO_CHANGE_ANYWAY),
  builder: v.exactOptional(TaskBuilder),
});

/** Scope, limits and checks are accepted and ignored: a question changes and runs nothing. */
const QuestionTask = v.strictObject({
  ...ExecuteTask.entries,
  task_kind: v.literal("question"),
  allow_no_change: refuseUnless(NO_CHANGE_ANYWAY),
  allows: refuseUnless(NO_CHANGE_ANYWAY),
  scope: v.exactOptional(TaskScope),
  diff_limits: v.exactOptional(TaskDiffLimits),
  verification: v.exactOptional(TaskVerification),
  builder: refuseUnless("a question goes to a person, so it has no builder"),
  question: Question,
});

const CHANGES_NOTHING = "a task with `control` changes nothing and checks nothing";

const ControlTask = v.strictObject(
  {
    task_id: TaskId,
    milestone_id: MilestoneId,
    task_kind: refuseUnless(NO_CONTROL),
    intent: v.exactOptional(Intent),
    control: v.strictObject({
      action: v.picklist(["continue", "stop"]),
      reason: v.exactOptional(v.pipe(v.string(), v.maxLength(400))),
    }),
    scope: refuseUnless(CHANGES_NOTHING),
    diff_limits: refuseUnless(CHANGES_NOTHING),
    verification: refuseUnless(CHANGES_NOTHING),
    builder: refuseUnless("a task with `control` has no builder"),
    allow_no_change: refuseUnless(NO_CHANGE_ANYWAY),
    fixes: refuseUnless(CHANGES_NOTHING),
    update_tests: refuseUnless(CHANGES_NOTHING),
    allows: refuseUnless(NO_CHANGE_ANYWAY),
    question: refuseUnless('only a task of kind "question" asks one'),
  },
  (issue) =>
    issue.expected === '"control"'
      ? 'a task has either `task_kind` ("execute", "verify_only" or "question") or `control`, and here is neither'
      : issue.message,
);

export const Task = v.variant("task_kind", [ExecuteTask, VerifyOnlyTask, QuestionTask, ControlTask]);
export type Task = v.InferOutput<typeof Task>;

/** A task for a prompt. What is new in each task comes last, so that prompts share as much of it as they can. */
export function writeTaskText({ task_id, intent, builder, ...rest }: Task): string {
  return JSON.stringify({ ...rest, task_id, intent, builder }, null, 2);
}
