/** The kinds of weakening: which rule they belong to, in words, and what they do unless the configuration says more. */
import type { CheckRule, RuleSetting } from "../../base/check-rules.ts";

interface KindEntry {
  readonly rule: CheckRule;
  /** After "adds". */
  readonly words: string;
  /**
   * What is measured is evidence and stops; what is read from text is a suspicion and holds. A kind that many honest
   * commits have is a note. `unusual` holds only where the project has no more of this kind.
   */
  readonly default: Exclude<RuleSetting, "off"> | "unusual";
}

const entry = (rule: CheckRule, level: KindEntry["default"]) => (words: string) => ({ rule, words, default: level });
const holdSuppression = entry("suppression", "hold");
const unusualSuppression = entry("suppression", "unusual");
const noteSuppression = entry("suppression", "note");
const holdAware = entry("test_aware", "hold");
const holdHollow = entry("hollow_tests", "hold");
const noteHollow = entry("hollow_tests", "note");
const noteAware = entry("test_aware", "note");

export const KINDS = {
  skipped_test: holdSuppression("a skipped test"),
  skipped_new_test: noteSuppression("a new test that is skipped"),
  only_test: holdSuppression("a test that runs alone"),
  type_ignore: unusualSuppression("a comment that silences the type checker"),
  lint_ignore: unusualSuppression("a comment that silences a linter"),
  format_ignore: noteSuppression("a comment that silences the formatter"),
  coverage_ignore: unusualSuppression("code left out of the coverage"),
  cast_to_any: unusualSuppression("a type that allows everything"),
  empty_catch: unusualSuppression("an empty handler of errors"),
  explained_catch: noteSuppression("an empty handler of errors, with a reason beside it"),
  swallowed_error: holdSuppression("code that hides every error"),
  hidden_failure: unusualSuppression("a command whose failure does not count"),
  expected_failure: noteSuppression("a command that may fail"),
  exit_zero: holdSuppression("an exit with status 0 outside of a program"),
  exit_zero_in_program: noteSuppression("an exit with status 0"),
  exit_hook: noteSuppression("code that runs at the exit"),
  patched_global: holdSuppression("a change of what tests rely on (an assertion, a clock or another global)"),
  hidden_name: holdSuppression("a name in pieces, which no search finds"),
  shadowed_module: entry("suppression", "stop")("a module that is loaded in the place of another one"),
  install_script: holdSuppression("a script that runs at every installation"),
  always_equal: holdSuppression("a comparison that is always true"),
  disabled_rule: holdSuppression("a disabled rule in settings"),
  lowered_threshold: holdSuppression("a lowered threshold in settings"),
  unreadable_settings: holdSuppression("settings that cannot be read"),
  ignore_entry: holdSuppression("an entry in a list of exceptions"),
  asks_for_runner: holdAware("a question whether a test runner is there"),
  asks_for_ci: noteAware("a question whether this is CI"),
  asks_for_caller: holdAware("a look at the caller for the name of a test"),
  imports_test_tool: holdAware("an import of a test tool outside of tests"),
  deleted_test: entry("deleted_tests", "hold")("a test that is gone"),
  replaced_test: entry("deleted_tests", "note")("a test that is gone with its subject, or for others"),
  hollowed_test: holdHollow("a test without the assertions that it had"),
  lost_assertion: holdHollow("an assertion that is gone"),
  fewer_assertions: noteHollow("a test with fewer assertions than before"),
  weaker_assertion: holdHollow("an assertion that asks for less than before"),
  empty_assertion: holdHollow("an assertion that cannot fail"),
  unreached_assertion: holdHollow("an assertion that is never reached"),
  caught_assertion: holdHollow("an assertion whose failure is caught"),
  unasserted_test: noteHollow("a new test without an assertion"),
  reads_tests: entry("reads_tests", "hold")("the name of a test file"),
  text_only: entry("no_effect", "hold")("only comments and documents, but the task asks for more"),
  text_alone: entry("no_effect", "note")("only comments and documents"),
  tests_only: entry("no_effect", "hold")("only tests, but the task asks for other code"),
  test_literals: entry("test_literals", "hold")("answers to inputs of tests"),
} as const satisfies Readonly<Record<string, KindEntry>>;

/** Evidence of another version may name a kind that is unknown here. */
export function describeKind(kind: string): string {
  return isKind(kind) ? KINDS[kind].words : "something that weakens the checks";
}

function isKind(kind: string): kind is Kind {
  return Object.hasOwn(KINDS, kind);
}

export type Kind = keyof typeof KINDS;
