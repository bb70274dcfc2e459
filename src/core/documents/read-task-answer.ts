import { parseWith } from "../../contract/schema/schema-error.ts";
import { Task } from "../../contract/documents/task.ts";
import { type ExtractRefusal, extractAnswer } from "./extract-json.ts";
import { neutraliseText } from "../words/harmless-text.ts";
import { shorten } from "../words/shorten.ts";

export type TaskAnswer =
  | { readonly kind: "task"; readonly task: Task }
  | {
      readonly kind: "invalid";
      readonly cause: `answer_${ExtractRefusal | "invalid"}`;
      /** Tells the orchestrator what to fix. */
      readonly message: string;
    };

const PROBLEMS_MAX = 8;
const EXCERPT_CHARS_MAX = 600;

export function readTaskAnswer(data: Uint8Array): TaskAnswer {
  const extracted = extractAnswer(data);
  if (extracted.kind === "refused") {
    const message = `The answer is not one JSON object: ${extracted.message}.`;
    return { kind: "invalid", cause: `answer_${extracted.cause}`, message };
  }
  const parsed = parseWith(Task, extracted.value);
  if (parsed.kind === "valid") return { kind: "task", task: parsed.value };
  const problems = parsed.problems.slice(0, PROBLEMS_MAX).map(({ message }) => `- ${message}`);
  const rest = parsed.problems.length - problems.length;
  const lines = ["The answer is not a valid task:", ...problems, ...(rest > 0 ? [`- and ${rest} more`] : [])];
  return { kind: "invalid", cause: "answer_invalid", message: lines.join("\n") };
}

export function answerExcerpt(data: Uint8Array): string {
  // A character has at most four bytes, so this is enough for the excerpt.
  const start = new TextDecoder().decode(data.subarray(0, EXCERPT_CHARS_MAX * 4));
  return shorten(neutraliseText(start), EXCERPT_CHARS_MAX);
}
