/** What orchestrators of scenarios have in common. */
import type { Scenario } from "./scenario.ts";

export const DONE = ["src/main.ts"];
export const TASK_FILE = '"${0%/*}/task.json"';
/** Answers with the task of the scenario, in the place that it was told. */
export const PROPOSE = `cat ${TASK_FILE} > "$RELAIS_RESULT_PATH"\n`;
/** Does something else in its first session than in its second. */
export const firstThen = (first: string, then: string): string =>
  `if [ -e "$HOME/asked" ]; then\n${then}\nelse\n: > "$HOME/asked"\n${first}\nfi\n`;
export const calls = (orchestrator: number, builder: number) => ({
  budgets: { orchestrator_calls: orchestrator, builder_calls: builder },
});
export const QUESTION = {
  task_kind: "question",
  question: { prompt: "Which one?", choices: ["this", "that"] },
  builder: undefined,
} as const;
export const CONTROL = {
  task_kind: undefined,
  intent: undefined,
  scope: undefined,
  diff_limits: undefined,
  verification: undefined,
  builder: undefined,
} as const;
export const invalid = (cause: string, message?: RegExp): Scenario["ends"] => ({
  code: "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID",
  cause,
  ...(message === undefined ? {} : { message }),
  report: { ...calls(2, 0), task: null, settle: { action: "rollback" } },
});
