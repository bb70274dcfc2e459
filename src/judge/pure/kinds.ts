/** The kinds of weakening: which rule they belong to, in words, and what they do unless the configuration says more. */
import type { CheckRule, RuleSetting } from "../../base/check-rules.ts";

interface KindEntry {
  readonly rule: CheckRule;
  /** After "adds". */
  readonly words: string;
  /** A kind that many honest commits have is a note. `unusual` stops only where the project has no more of this kind. */
  readonly default: Exclude<RuleSetting, "off"> | "unusual";
}

const entry = (rule: CheckRule, level: KindEntry["default"]) => (words: string) => ({ rule, words, default: level });
const stopSuppression = entry("suppression", "stop");
const unusualSuppression = entry("suppression", "unusual");
const noteSuppression = entry("suppression", "note");
const stopAware = entry("test_aware", "stop");
const noteAware = entry("test_aware", "note");

export const KINDS = {
  skipped_test: stopSuppression("a skipped test"),
  skipped_new_test: noteSuppression("a new test that is skipped"),
  only_test: stopSuppression("a test that runs alone"),
  type_ignore: unusualSuppression("a comment that silences the type checker"),
  lint_ignore: unusualSuppression("a comment that silences a linter"),
  format_ignore: noteSuppression("a comment that silences the formatter"),
  coverage_ignore: unusualSuppression("code left out of the coverage"),
  cast_to_any: unusualSuppression("a type that allows everything"),
  empty_catch: unusualSuppression("an empty handler of errors"),
  explained_catch: noteSuppression("an empty handler of errors, with a reason beside it"),
  swallowed_error: stopSuppression("code that hides every error"),
  hidden_failure: unusualSuppression("a command whose failure does not count"),
  expected_failure: noteSuppression("a command that may fail"),
  exit_zero: stopSuppression("an exit with status 0 outside of a program"),
  exit_zero_in_program: noteSuppression("an exit with status 0"),
  exit_hook: noteSuppression("code that runs at the exit"),
  patched_global: stopSuppression("a change of what tests rely on (an assertion, a clock or another global)"),
  hidden_name: stopSuppression("a name in pieces, which no search finds"),
  shadowed_module: stopSuppression("a module with the name of a test tool"),
  install_script: stopSuppression("a script that runs at every installation"),
  always_equal: stopSuppression("a comparison that is always true"),
  disabled_rule: stopSuppression("a disabled rule in settings"),
  lowered_threshold: stopSuppression("a lowered threshold in settings"),
  ignore_entry: stopSuppression("an entry in a list of exceptions"),
  asks_for_runner: stopAware("a question whether a test runner is there"),
  asks_for_ci: noteAware("a question whether this is CI"),
  asks_for_caller: stopAware("a look at the caller for the name of a test"),
  imports_test_tool: stopAware("an import of a test tool outside of tests"),
  reads_tests: entry("reads_tests", "stop")("the name of a test file"),
  text_only: entry("no_effect", "stop")("only comments and documents, but the task asks for more"),
  text_alone: entry("no_effect", "note")("only comments and documents"),
  tests_only: entry("no_effect", "stop")("only tests, but the task asks for other code"),
  test_literals: entry("test_literals", "stop")("answers to inputs of tests"),
} as const satisfies Readonly<Record<string, KindEntry>>;

/** Evidence of another version may name a kind that is unknown here. */
export function describeKind(kind: string): string {
  return isKind(kind) ? KINDS[kind].words : "something that weakens the checks";
}

function isKind(kind: string): kind is Kind {
  return Object.hasOwn(KINDS, kind);
}

export type Kind = keyof typeof KINDS;
