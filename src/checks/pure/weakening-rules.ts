import type { Config } from "../../config/config.ts";
import type { Rules } from "../../records/evidence.ts";
import type { CheckRule } from "../../base/check-rules.ts";
import { checkSteering } from "./check-steering.ts";

type Verification = Pick<Config["verification"], "oracle_globs" | "templates" | "rules"> & { readonly oracle: string };

/** Of a longer task, the beginning. */
const TASK_CHARS_MAX = 4000;

interface WeighedTask {
  readonly text: string | undefined;
  /** Of a person, not of an orchestrator. */
  readonly isOwn: boolean;
}

const NO_TASK: WeighedTask = { text: "", isOwn: true };

/** Rules that take a task by its words, which only a person's task is worth. */
const ABOUT_WORDS: Readonly<Partial<Record<CheckRule, "note">>> = { no_effect: "note", passes_without_change: "note" };

/** How weakened checks are found and treated. A rule that the person's task allows is a note at most. */
export function makeWeakeningRules(
  { oracle, oracle_globs, templates, rules }: Verification,
  allows: readonly CheckRule[],
  task: WeighedTask = NO_TASK,
): Pick<Rules, "weakening"> {
  if (oracle === "off") return {};
  const allowed = allows.map((rule) => [rule, rules[rule] === "off" ? "off" : "note"] as const);
  return {
    weakening: {
      test_globs: oracle_globs,
      settings_globs: [...checkSteering(templates)],
      rules: { ...(task.isOwn ? {} : ABOUT_WORDS), ...rules, ...Object.fromEntries(allowed) },
      ...(task.text ? { task_text: task.text.slice(0, TASK_CHARS_MAX) } : {}),
    },
  };
}
