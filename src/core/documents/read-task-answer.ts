import { parseWith } from "../../contract/schema/schema-error.ts";
import { Task } from "../../contract/documents/task.ts";
import { extractAnswer } from "./extract-answer.ts";
import type { ExtractRefusal } from "./extract-json.ts";
import { neutraliseText } from "../words/harmless-text.ts";
import { shorten } from "../words/shorten.ts";

/** The task that an orchestrator answered with, or why its words are none. */
export type TaskAnswer =
  | { readonly kind: "task"; readonly task: Task }
  | {
      readonly kind: "invalid";
      readonly cause: `answer_${ExtractRefusal | "invalid"}`;
      /** Sentences that tell the orchestrator what to do better. */
      readonly message: string;
    };

const PROBLEMS_MAX = 8;
const EXCERPT_CHARS_MAX = 600;

/** Reads the bytes that an orchestrator left as its answer. */
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

/** How an answer begins, made harmless for whoever reads it. */
export function answerExcerpt(data: Uint8Array): string {
  // A character has four bytes at most, so this is enough for the excerpt, however large the answer is.
  const start = new TextDecoder().decode(data.subarray(0, EXCERPT_CHARS_MAX * 4));
  return shorten(neutraliseText(start), EXCERPT_CHARS_MAX);
}
