import * as v from "valibot";
import { isRecord } from "../../base/quantity.ts";
import { parseWith } from "../../base/schema-error.ts";
import { Task } from "../../records/task.ts";
import { type ExtractRefusal, extractAnswer } from "../../base/strict-json.ts";
import { neutraliseText, shorten } from "../../base/words.ts";

export type TaskAnswer =
  | { readonly kind: "task"; readonly task: Task; readonly also: readonly Task[] }
  | {
      readonly kind: "invalid";
      readonly cause: `answer_${ExtractRefusal | "invalid"}`;
      /** Tells the orchestrator what to fix. */
      readonly message: string;
    };

const PROBLEMS_MAX = 8;
const EXCERPT_CHARS_MAX = 600;

type Invalid = Extract<TaskAnswer, { kind: "invalid" }>;

/** Where several tasks may come, the answer is one task, or a list of them under `tasks`. */
export function readTaskAnswer(data: Uint8Array, tasksMax = 1): TaskAnswer {
  const extracted = extractAnswer(data);
  if (extracted.kind === "refused") {
    const message = `The answer is not one JSON object: ${extracted.message}.`;
    return { kind: "invalid", cause: `answer_${extracted.cause}`, message };
  }
  const { value } = extracted;
  const isList = tasksMax > 1 && isRecord(value) && "tasks" in value;
  return isList ? readTasks(value, tasksMax) : readTask(value);
}

function readTask(value: unknown): TaskAnswer {
  const parsed = parseWith(Task, value);
  if (parsed.kind === "valid") return { kind: "task", task: parsed.value, also: [] };
  return refuseAnswer(
    "The answer is not a valid task:",
    parsed.problems.map(({ message }) => message),
  );
}

function readTasks(value: object, tasksMax: number): TaskAnswer {
  const list = v.pipe(
    v.array(Task),
    v.minLength(1),
    v.maxLength(tasksMax, `at most ${tasksMax} tasks fit into a round`),
  );
  const parsed = parseWith(v.strictObject({ tasks: list }), value);
  if (parsed.kind === "invalid")
    return refuseAnswer(
      "The answer is not a valid list of tasks:",
      parsed.problems.map(({ message }) => message),
    );
  const [task, ...also] = parsed.value.tasks;
  if (task === undefined) return refuseAnswer("The answer is not a valid list of tasks:", ["it is empty"]);
  const problems = also.length === 0 ? [] : listRoundProblems([task, ...also]);
  return problems.length === 0 ? { kind: "task", task, also } : refuseAnswer("The tasks are no round:", problems);
}

/** Each has a tick of its own, which is found by its name. */
function listRoundProblems(tasks: readonly Task[]): readonly string[] {
  const ids = new Set(tasks.map(({ task_id }) => task_id));
  const milestones = new Set(tasks.map(({ milestone_id }) => milestone_id));
  return [
    ...(tasks.every(({ task_kind }) => task_kind === "execute")
      ? []
      : ['only tasks of kind "execute" stand beside others']),
    ...(ids.size === tasks.length ? [] : ["two tasks have the same task_id"]),
    ...(milestones.size === 1 ? [] : ["tasks of one answer belong to one milestone"]),
  ];
}

function refuseAnswer(headline: string, all: readonly string[]): Invalid {
  const problems = all.slice(0, PROBLEMS_MAX).map((message) => `- ${message}`);
  const rest = all.length - problems.length;
  const lines = [headline, ...problems, ...(rest > 0 ? [`- and ${rest} more`] : [])];
  return { kind: "invalid", cause: "answer_invalid", message: lines.join("\n") };
}

export function answerExcerpt(data: Uint8Array): string {
  // A character has at most four bytes, so this is enough for the excerpt.
  const start = new TextDecoder().decode(data.subarray(0, EXCERPT_CHARS_MAX * 4));
  return shorten(neutraliseText(start), EXCERPT_CHARS_MAX);
}
