/**
 * The suppressions by language, as data. A pattern is searched in the whole text; `place` says where its match must
 * begin: in code, in a comment, in code with strings and comments blanked out (`bare`), or anywhere but in a comment
 * (`line`).
 */
import type { Kind } from "./kinds.ts";
import type { Language } from "../../base/language.ts";

export interface PatternRow {
  readonly kind: Kind;
  readonly languages: readonly Language[];
  readonly place: "code" | "comment" | "bare" | "line";
  /** Which files count. */
  readonly files: "tests" | "source" | "all";
  readonly pattern: RegExp;
}

const SCRIPT: readonly Language[] = ["js", "ts"];
const PYTHON: readonly Language[] = ["python"];
const SHELL: readonly Language[] = ["shell"];
const C: readonly Language[] = ["c"];
const RUN_BY_SHELLS: readonly Language[] = ["shell", "settings"];
const ANY: readonly Language[] = ["js", "ts", "python", "go", "rust", "c", "ruby", "shell"];

const row = (
  [kind, languages]: readonly [Kind, readonly Language[]],
  [files, place]: readonly [PatternRow["files"], PatternRow["place"]],
  pattern: RegExp,
): PatternRow => ({ kind, languages, place, files, pattern });

const IN_TESTS = ["tests", "code"] as const;
const IN_CODE = ["source", "code"] as const;
const IN_BARE_CODE = ["source", "bare"] as const;
const IN_COMMENTS = ["source", "comment"] as const;

const SKIPS: readonly PatternRow[] = [
  row(
    ["skipped_test", SCRIPT],
    IN_TESTS,
    /\b(?:x(?:it|test|describe|context|specify)\s*\(|(?:it|test|describe|context|suite|specify|[tT]|ctx|this)(?:\.\w+)*\.(?:skip|todo|skipIf|failing|fails|fixme)\b\s*[(`])/gu,
  ),
  row(
    ["only_test", SCRIPT],
    IN_TESTS,
    /\b(?:(?:it|test|describe|context|suite|specify)(?:\.\w+)*\.only\b|f(?:it|describe|context)\s*\()|\bonly:(?<=[{,]\s*\w+:)\s*true/gu,
  ),
  row(
    ["skipped_test", PYTHON],
    IN_TESTS,
    /@?\bpytest\.mark\.(?:skip|xfail)\w*|@mark\.(?:skip|xfail)\w*|@(?:unittest\.)?(?:skip(?:If|Unless)?|expectedFailure)\b|\bpytest\.(?:skip|xfail)\(|\bself\.skipTest\(|\braise\s+(?:unittest\.)?SkipTest|\b__test__\s*=\s*False|\bcollect_ignore(?:_glob)?\s*\+?=/gu,
  ),
  row(
    ["skipped_test", ["go"]],
    IN_TESTS,
    /\b(?:[tb]|[sS]|suite)(?:\.T\(\))?\.(?:Skip|Skipf|SkipNow)\(|\b[PX](?:It|Describe|Context|When|Specify)\(/gu,
  ),
  row(["skipped_test", ["go"]], ["all", "comment"], /\/\/\s?(?:go:build|\+build)\s+ignore\b/gu),
  row(["skipped_test", ["rust"]], ["all", "code"], /#\[(?:ignore\b|cfg_attr\([^\]\n]*\bignore\b)/gu),
  // In all files: annotations of tests stand at tests only.
  row(
    ["skipped_test", C],
    ["all", "code"],
    /@(?:Ignore|Disabled\w*|(?:Enabled|Assume)(?:If|On|For)\w*)\b|\[[^\]\n"]*\b(?:Ignore\b|Explicit\b|Inconclusive\b)|\[\w*(?:Fact|Theory|Test|TestCase)\([^\]\n]{0,200}?\b(?:Skip|Ignore|Explicit)\s*=(?!=)/gu,
  ),
  row(
    ["skipped_test", C],
    IN_TESTS,
    /(?<![\w$])(?:Assum(?:e|ptions)\.)?assum(?:e|ing)(?:True|False|That|NotNull|NoException)?\(|\bAssert\.(?:Ignore|Inconclusive|Skip\w*)\(|\bSkip\.(?:If|Unless)(?:Not)?\(|\bmarkTest(?:Skipped|Incomplete)\(|->(?:skip|todo)\(|\bGTEST_SKIP\(|\bDISABLED_\w|\bXCTSkip\w*\(|\.disabled\(/gu,
  ),
  row(
    ["skipped_test", ["ruby"]],
    IN_TESTS,
    /^[ \t]*(?:x(?:it|describe|context|specify|example)|pending|skip)\b|,[ ]*(?::skip\b|:pending\b|(?:skip|pending):[ ]*(?!false|nil))/gmu,
  ),
  row(["skipped_test", SHELL], IN_TESTS, /^[ \t]*(?:skip\b|@test\s+.*#\s*skip)/gmu),
];

const IGNORES: readonly PatternRow[] = [
  row(
    ["type_ignore", SCRIPT],
    IN_COMMENTS,
    /@ts-(?:ignore|expect-error|nocheck)\b|\$Flow(?:FixMe|Ignore|ExpectedError)/gu,
  ),
  row(
    ["type_ignore", PYTHON],
    IN_COMMENTS,
    /#\s*type:\s*ignore|#\s*pyright:\s*(?!strict)\w|#\s*mypy:\s*(?:ignore|disable|allow|no-)|#\s*pyre-(?:ignore|fixme|unsafe)|#\s*ty:\s*ignore/gu,
  ),
  row(
    ["lint_ignore", SCRIPT],
    IN_COMMENTS,
    /\b(?:eslint-disable|oxlint-disable|biome-ignore|tslint:disable|jshint\s+ignore|jscs:disable|deno-lint-ignore|stylelint-disable)/gu,
  ),
  row(
    ["lint_ignore", PYTHON],
    IN_COMMENTS,
    /#\s*(?:(?:ruff|flake8):\s*)?noqa\b|#\s*pylint:\s*(?:disable|skip-file)|#\s*nosec\b/giu,
  ),
  row(["lint_ignore", ["go"]], IN_COMMENTS, /\/\/\s?nolint\b|#nosec\b|\/\/lint:(?:file-)?ignore\b/gu),
  // Linters of a project's own.
  row(
    ["lint_ignore", ANY],
    IN_COMMENTS,
    /(?<![\w-])(?:lint(?:er)?[-_:](?:ignore|disable|skip|off|allow)|(?:no|skip|ignore|disable)[-_:]?lint|(?:check|style|type)[-_:](?:ignore|disable|skip|off))\b/giu,
  ),
  row(["lint_ignore", SHELL], IN_COMMENTS, /#\s*shellcheck\s+disable/gu),
  row(["lint_ignore", ["rust"]], IN_CODE, /#!?\[(?:allow|expect)\(/gu),
  row(["lint_ignore", C], ["source", "code"], /@Suppress(?:Warnings|Lint)?\b|#pragma\s+warning\s+disable/gu),
  row(
    ["lint_ignore", C],
    IN_COMMENTS,
    /\b(?:NOLINT|NOSONAR|noinspection|CHECKSTYLE[: ]OFF|phpcs:(?:ignore|disable))|@(?:phpstan-ignore|psalm-suppress)/gu,
  ),
  row(["lint_ignore", ["ruby"]], IN_COMMENTS, /\b(?:rubocop|standard):(?:disable|todo)/gu),
  row(
    ["format_ignore", ANY],
    IN_COMMENTS,
    /\bprettier-ignore|#\s*fmt:\s*(?:off|skip)|\brustfmt::skip|#\s*(?:isort|yapf):\s*(?:skip|disable)/gu,
  ),
  row(
    ["coverage_ignore", ANY],
    IN_COMMENTS,
    /\bpragma:\s*no\s*(?:cover|branch)|\b(?:istanbul|c8|v8)\s+ignore\b|\bnode:coverage\s+(?:disable|ignore)|\bLCOV_EXCL|:nocov:|@codeCoverageIgnore/gu,
  ),
  row(
    ["cast_to_any", ["ts"]],
    IN_BARE_CODE,
    /\bas\s+(?:any|never)\b(?!\s+as\b)|\bas\s+(?:unknown|never)\s+as\b|[:<,]\s*any\b(?=\s*>)|[:<]\s*any\b(?=\s*(?:[,;)>=}]|\[\]|\n|$))/gu,
  ),
  row(["cast_to_any", SCRIPT], IN_COMMENTS, /@type\s*\{\s*(?:any|\*)\s*\}/gu),
  row(["cast_to_any", PYTHON], IN_CODE, /\bcast\(\s*["']?(?:\w+\.)?Any\b/gu),
  row(["cast_to_any", PYTHON], IN_BARE_CODE, /(?::|->)\s*(?:typing\.|t\.)?Any\b(?=\s*(?:[,)=:\n]|$))/gu),
];

const HIDDEN_ERRORS: readonly PatternRow[] = [
  row(
    ["empty_catch", [...SCRIPT, "c"]],
    IN_BARE_CODE,
    /\bcatch\s*(?:\([^()\n]{0,200}\)\s*)?\{\s*(?:return(?:\s*;)?\s*)?\}|\.catch\(\s*(?:\(\s*\w*\s*\)|\w+|function\s*\(\w*\))(?:\s*=>)?\s*(?:\{\s*\}|undefined|null|void 0)\s*\)/gu,
  ),
  row(
    ["swallowed_error", [...SCRIPT, "c"]],
    IN_BARE_CODE,
    /\bcatch\s*(?:\([^()\n]{0,200}\)\s*)?\{\s*return\s+true(?:\s*;)?\s*\}|\.catch\(\s*(?:\(\s*\w*\s*\)|\w+)\s*=>\s*true\s*\)/gu,
  ),
  row(
    ["swallowed_error", SCRIPT],
    IN_CODE,
    /\bprocess\.(?:on|once)\(\s*["'`](?:uncaughtException|unhandledRejection)["'`]\s*,\s*(?:\(\s*\w*\s*\)|\w+|function\s*\w*\(\w*\))\s*(?:=>)?\s*\{\s*\}/gu,
  ),
  row(
    ["swallowed_error", PYTHON],
    IN_BARE_CODE,
    /\bexcept(?:[ (]+(?:Base)?Exception\)?(?:\s+as\s+\w+)?|[ (]+AssertionError\)?(?:\s+as\s+\w+)?)?[ ]*:\s*(?:pass|\.\.\.|continue|return(?:[ ]+(?:True|None|-?[01]|""|''|\[\]|\{\}))?)[ \t]*(?=\n|$|#|;)/gu,
  ),
  row(["swallowed_error", PYTHON], IN_BARE_CODE, /\bsuppress\(\s*(?:(?:Base)?Exception|AssertionError)\b/gu),
  row(
    ["swallowed_error", ["go"]],
    IN_BARE_CODE,
    /\bif\s+err\s*!=\s*nil\s*\{\s*\}|\bdefer\s+func\(\)\s*\{\s*(?:_\s*=\s*)?recover\(\)\s*\}\(\)/gu,
  ),
  row(
    ["empty_catch", ["ruby"]],
    IN_BARE_CODE,
    /\brescue(?:[ ]*=>[ ]*\w+|[ ]+(?:StandardError|Exception))?[ \t]*\n\s*(?:(?:nil|true)[ \t]*\n\s*)?end\b|\brescue[ ]+nil\b/gu,
  ),
  row(
    ["hidden_failure", RUN_BY_SHELLS],
    IN_CODE,
    /\|\|\s*(?:true|:|exit 0|echo\b[^\n"|;&]{0,80}(?=["\n]))(?![\w./-])/gu,
  ),
  row(["hidden_failure", RUN_BY_SHELLS], IN_CODE, /(?:^|;|&&)[ \t]*set\s+\+(?:e|o\s+(?:errexit|pipefail))\b/gmu),
  row(
    ["hidden_failure", ["settings"]],
    ["all", "code"],
    /\bcontinue-on-error["']?\s*:\s*true|\ballow_failure["']?\s*:\s*true|--passWithNoTests\b|\bpassWithNoTests["']?\s*:\s*true|--exit-zero\b|["'](?:test|lint|check|types?|typecheck|verify|ci)[\w:.-]*["']\s*:\s*["'](?:exit 0|true|:|echo\b[^"'&|;\n]*)["']/gu,
  ),
];

export const SUPPRESSIONS: readonly PatternRow[] = [...SKIPS, ...IGNORES, ...HIDDEN_ERRORS];
