import { isAbsolute, resolve } from "node:path";
import { parseWith } from "../base/schema-error.ts";
import { Task } from "../records/task.ts";
import { extractJson } from "../base/extract-json.ts";
import { readBounded } from "../system/bounded-file.ts";
import { type Misuse, reportMisuse } from "../workspace/misuse.ts";

export type TaskFile = { readonly kind: "task"; readonly task: Task; readonly taskText: string } | Misuse;

const TASK_BYTES_MAX = 1024 * 1024;

/** The path is relative to `cwd`. */
export async function readTaskFile(file: string, cwd: string): Promise<TaskFile> {
  const read = await readBounded(isAbsolute(file) ? file : resolve(cwd, file), TASK_BYTES_MAX);
  if (read.kind === "missing") return reportMisuse(`The task file ${file} does not exist.`);
  if (read.kind === "refused") return reportMisuse(`The task file ${file} cannot be used: ${read.reason}.`);
  const extracted = extractJson(read.data);
  if (extracted.kind === "refused")
    return reportMisuse(`The task file ${file} is not a JSON object: ${extracted.message}.`);
  const parsed = parseWith(Task, extracted.value);
  if (parsed.kind === "valid") {
    return { kind: "task", task: parsed.value, taskText: `${JSON.stringify(parsed.value, null, 2)}\n` };
  }
  return reportMisuse(
    `The task file ${file} is not a valid task.`,
    parsed.problems.map(({ message }) => message),
  );
}
