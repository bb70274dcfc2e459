import type { Report } from "../../contract/documents/report.ts";
import { findTask } from "./tick-facts.ts";
import type { Reportable, TickState } from "./tick-state.ts";

/** What a tick asks a person, or what has to be answered before another begins, with the answers to choose from. */
export function reportQuestion(state: TickState | Reportable): Report["question"] {
  const outcome = "outcome" in state ? state.outcome : null;
  const question = findTask(state)?.question ?? outcome?.question;
  return question === undefined ? null : { prompt: question.prompt, choices: [...(question.choices ?? [])] };
}
