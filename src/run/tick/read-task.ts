import { isAbsolute, resolve } from "node:path";
import { parseWith } from "../../contract/schema/schema-error.ts";
import { Task } from "../../contract/documents/task.ts";
import { extractJson } from "../../core/documents/extract-json.ts";
import { readBounded } from "../../io/files/bounded-file.ts";

export type TaskFile =
  | { readonly kind: "task"; readonly task: Task; readonly taskText: string }
  | {
      readonly kind: "misused";
      readonly message: string;
      readonly problems: readonly string[];
      /** Absent where the usage of the command helps. */
      readonly remedy?: string;
    };

const TASK_BYTES_MAX = 1024 * 1024;

/** The path is relative to `cwd`. */
export async function readTaskFile(file: string, cwd: string): Promise<TaskFile> {
  const read = await readBounded(isAbsolute(file) ? file : resolve(cwd, file), TASK_BYTES_MAX);
  if (read.kind === "missing") return misused(`The task file ${file} does not exist.`);
  if (read.kind === "refused") return misused(`The task file ${file} cannot be used: ${read.reason}.`);
  const extracted = extractJson(read.data);
  if (extracted.kind === "refused") return misused(`The task file ${file} is not a JSON object: ${extracted.message}.`);
  const parsed = parseWith(Task, extracted.value);
  if (parsed.kind === "valid") {
    return { kind: "task", task: parsed.value, taskText: `${JSON.stringify(parsed.value, null, 2)}\n` };
  }
  const problems = parsed.problems.map(({ message }) => message);
  return { ...misused(`The task file ${file} is not a valid task.`), problems };
}

function misused(message: string): Extract<TaskFile, { kind: "misused" }> {
  return { kind: "misused", message, problems: [] };
}
