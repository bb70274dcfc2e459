/**
 * The rules about changes that make the checks say less. A rule stops the tick, is a note, or is off. The ids are words
 * of configurations and tasks and are never renamed.
 */
import * as v from "valibot";

export const CHECK_RULES = [
  "suppression",
  "test_aware",
  "reads_tests",
  "test_literals",
  "no_test_end",
  "tests_removed",
  "tests_skipped",
  "passes_without_change",
] as const;

export const CheckRule = v.picklist(CHECK_RULES);
export type CheckRule = v.InferOutput<typeof CheckRule>;

export const RuleSetting = v.picklist(["stop", "note", "off"]);
export type RuleSetting = v.InferOutput<typeof RuleSetting>;
