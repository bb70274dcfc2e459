import type { Report } from "../../contract/documents/report.ts";
import type { Task } from "../../contract/documents/task.ts";

/** What a task asks a person, with the answers to choose from. */
export function questionPart(task: Task | null): Report["question"] {
  const question = task?.question;
  return question === undefined ? null : { prompt: question.prompt, choices: [...(question.choices ?? [])] };
}
