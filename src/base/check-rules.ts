/**
 * The rules of text about changes that weaken the checks. A rule stops the tick, holds the change for a person, is a
 * note, or is off. The ids are words of configurations and tasks and are never renamed. What a test runner reports is
 * measured and has no setting.
 */
import * as v from "valibot";

export const RuleSetting = v.picklist(["stop", "hold", "note", "off"]);
export type RuleSetting = v.InferOutput<typeof RuleSetting>;

const rule = (meaning: string) => v.exactOptional(v.pipe(RuleSetting, v.description(meaning)));

/** A rule that is left out decides by what it finds. */
export const RuleSettings = v.strictObject({
  suppression: rule("The change adds a skip, an ignore, an early exit, a patched assertion or the like."),
  test_aware: rule("Code begins to ask whether it is being tested."),
  deleted_tests: rule("Tests are gone from the files, and neither moved nor went with what they test."),
  hollow_tests: rule("Tests lost their assertions, or have some that cannot fail."),
  reads_tests: rule("Code begins to name files of the tests."),
  test_literals: rule("Code begins to answer inputs of tests by their values."),
  no_effect: rule("Only comments, documents or tests change where the task asks for code."),
  passes_without_change: rule("A new test passes without the change, too."),
});

export const CheckRule = v.keyof(RuleSettings);
export type CheckRule = v.InferOutput<typeof CheckRule>;
