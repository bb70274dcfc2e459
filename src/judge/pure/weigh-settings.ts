/**
 * What a setting means for the checks, by the words of its keys: a grade, where more is stricter; an exception; or what is
 * asked for. A setting that none of these words has says nothing about checks.
 */
import { isExceptionList } from "../../base/language.ts";
import { readNumeral } from "./read-literals.ts";
import { findSettingsFormat, isOfManyTools, nameSettingsKind, setsUpRunner } from "./settings-files.ts";
import { nameKey, type Setting } from "./settings-leaves.ts";

interface Weight {
  /** The whole key. */
  readonly key: string;
  /** Its end, which is the same in another file. */
  readonly name: string;
  readonly at: number;
}

export interface Grade extends Weight {
  readonly kind: "grade";
  readonly grade: number;
  /** A switch is off and a rule is silent at 0; where no number stands, there is no limit. A retry counts from none. */
  readonly unit: "switch" | "severity" | "limit" | "retry";
}

export interface Item extends Weight {
  /** `left_out` of a check, or a rule or a path that is `asked_for`, or an argument with which fewer tests run. */
  readonly kind: "left_out" | "asked_for" | "argument";
  readonly text: string;
  readonly isOfFormatter: boolean;
  /** Of what a test runner runs. */
  readonly isOfRunner: boolean;
}

export type SettingWeight = Grade | Item;

const MORE_IF_ON =
  /^(?:(?:xfail_)?strict\w*|noimplicit\w+|nounused\w+|nounchecked\w+|nofallthrough\w+|noproperty\w+|exactoptional\w+|alwaysstrict|useunknownincatch\w+|checkjs|disallow_\w+|check_untyped_defs|warn_\w+|no_implicit_\w+|strict_\w+|(?:\w+)?treatwarningsaserrors|(?:all_?)?warnings_?as_?errors|nullable|enforcecodestyleinbuild|enablenetanalyzers|runanalyzers\w*|check-?coverage|fail_?on_?\w+|forbid-?only|fail_on_\w+|enabled?|active)$/iu;
const LESS_IF_ON =
  /^(?:ignore_?errors|ignore_missing_imports|allow_untyped_\w+|allow_any_\w+|allowunreachablecode|passwithnotests|bail_on_empty|skip(?:_?tests)?|maven\.test\.skip|test_?failure_?ignore|ignore_?failures|ignore_?test_?failures|exit[-_]?zero|informational|no-?error-?on-?unmatched-?pattern)$/iu;
const CEILINGS =
  /^(?:max(?:imum)?(?:[-_]?(?:warnings|complexity|line[-_]?length|doc[-_]?length|len|args|arguments|params|parameters|branches|statements|returns|locals|attributes|lines[-\w]*|depth|nested[-\w]*|bool[-\w]*|public[-\w]*|parents|module[-_]lines|failures|errors))?|min-complexity|error_?level)$/iu;
const RETRIES =
  /^(?:(?:max[-_]?)?retr(?:ies|y)|reruns|flaky[-_]?test[-_]?attempts|(?:surefire\.)?rerun[-_]?failing[-_]?tests[-_]?count)$/iu;
const FLOORS =
  /^(?:fail[-_]?under|cov[-_]fail[-_]under|min(?:imum)?[-_]?(?:coverage|score|msi|covered[-_]?msi)|coverage[-_]?threshold|mutation(?:score)?|warninglevel)$/iu;
/** Limits only in settings of coverage. */
const COVERED = /^(?:branches|functions|lines|statements|line|branch|break|minimum|target)$/iu;
const OF_COVERAGE = /cover|threshold|^nyc|^c8|mutat|stryker/iu;

const LEFT_OUT =
  /^(?:(?:force-?|extend[-_]?|global)?(?:ignor|exclu|exempt)(?:e|es|ed|ing|de|des|ded|sions?|_files|_lines|_also|_paths?|_patterns?|[-_]?(?:rules?|dirs|files|functions|words)|patterns|dependencies|binaries|exportsusedinfile|unresolved)?|(?:extend-?)?per-file-ignores|omit|\w+ignorepatterns|deselect|norecursedirs|collect_ignore(?:_glob)?|disabled?|disabled_rules|known_failures|allow_?list|xfail|quarantine|skips?|disable_error_code|filterwarnings|no_?warn|warningsnotaserrors|globalignores|baseline)$/iu;
const ASKED_FOR =
  /^(?:(?:extend-)?select|enable|enable_error_code|testpaths|test_?match|testregex|python_files|python_functions|python_classes|warningsaserrors)$/iu;
const TESTS_FOUND = /^(?:include|testmatch|testregex|testpaths|python_files|testdir|spec)$/iu;

const SEVERITIES: ReadonlyMap<string, number> = new Map(
  [
    "off allow none disable disabled ignore silent suppress false",
    "info information hint suggestion note refactor convention basic annotations minimum",
    "warn warning warnings standard recommended default",
    "error deny forbid fatal true strict enable enabled all on",
  ].flatMap((words, grade) => words.split(" ").map((word) => [word, grade] as const)),
);
const NO_WORDS: typeof SEVERITIES = new Map();
const RULES = /^(?:rules?|lints|clippy|rust|rustdoc|categories|severity|issuehandlers)$/iu;
/** Of which each key is a rule. */
const OWN_RULES = /^(?:markdownlint|tslint)$/u;
const LADDERS = /^(?:report[A-Z]\w+|typecheckingmode|nullable|analysismode\w*|severity|level|errorlevel)$/iu;

const LINTERS =
  /lint|biome|rubocop|golangci|commitlint|clippy|detekt|checkstyle|pmd|spotbugs|phpstan|psalm|phpcs|pyright|sonar|ruleset/iu;
const CHECKERS =
  /lint|biome|prettier|mypy|pyright|pylint|flake8|ruff|black|isort|bandit|pytest|coverage|tox|nox|jest|vitest|mocha|nyc|c8|\bava\b|\btap\b|stylelint|xo$|knip|codespell|vulture|deptry|interrogate|pydocstyle|pycodestyle|pyrefly|\bty\b|surefire|failsafe|checkstyle|spotbugs|\bpmd|jacoco|enforcer|errorprone|\bkotlin|compileroptions|\bproperties\b/iu;
const FORMATTERS = /prettier|oxfmt|rustfmt|clang-format|\bblack\b|\bisort\b|yapf|\bfmt\b|format|dprint|spotless/iu;

const RUNNERS =
  /pytest|jest|vitest|mocha|surefire|failsafe|nextest|testpathignore|collect_ignore|norecursedirs|deselect/iu;
const OF_RUNNER = { isOfFormatter: false, isOfRunner: true } as const;

/** With these fewer tests run, or their failure counts less. */
const FEWER_TESTS =
  /--(?:ignore|deselect|ignore-glob|exclude-task|testPathIgnorePatterns)[= ]+[^\s"'\\]+|(?<![\w-])-[km]\s+\\?["']?not\b[^"'\\]*|--no-(?:strict|verify|error-on-unmatched-pattern)\b/gu;
const ARGUMENT = /--(?<name>[\w.-]+)(?:=|\s+)(?<value>\d+(?:\.\d+)?)\b/gu;

export interface SettingsFile {
  readonly path: string;
  readonly kind: string;
  readonly isLinter: boolean;
  readonly isWordy: boolean;
}

export function describeSettingsFile(path: string): SettingsFile {
  const kind = nameSettingsKind(path);
  const isWordy = ["ini", "xml"].includes(findSettingsFormat(path));
  return { path, kind, isLinter: LINTERS.test(kind), isWordy };
}

export function weighSetting(setting: Setting, file: SettingsFile): readonly SettingWeight[] {
  const outside = listArguments(setting);
  if (isOfManyTools(file.path) && !CHECKERS.test(setting.keys.slice(0, -1).join(" "))) return outside;
  const items = listItems(setting, file);
  if (items !== null) return [...outside, ...items];
  const grade = gradeSetting(setting, file);
  return grade === null ? outside : [...outside, grade];
}

function placeWeight({ keys, at }: Setting): Weight {
  const end = /^(?:severity|level|enabled?|active|max|min|threshold)$/iu.test(nameKey({ keys })) ? -2 : -1;
  return { key: keys.join("\0"), name: keys.slice(end).join(" ").toLowerCase(), at };
}

/** Of a command. */
function listArguments(setting: Setting): readonly SettingWeight[] {
  const { value } = setting;
  if (typeof value !== "string") return [];
  const weight = placeWeight(setting);
  const fewer = [...value.matchAll(FEWER_TESTS)].map(({ 0: text }): Item => ({
    ...weight,
    kind: "argument",
    text,
    ...OF_RUNNER,
  }));
  const limits = [...value.matchAll(ARGUMENT)].flatMap(({ groups }) => {
    const name = groups?.["name"] ?? "";
    const own = { keys: name.split("."), value: Number(groups?.["value"] ?? 0), at: setting.at };
    const grade = gradeLimit(own, { kind: "coverage", isLinter: false });
    return grade === null ? [] : [{ ...weight, ...grade, key: `${weight.key}\0--${name}`, name: nameKey(own) }];
  });
  return [...fewer, ...limits];
}

function gradeSetting(setting: Setting, file: SettingsFile): Grade | null {
  const found = gradeSwitch(setting, file) ?? gradeSeverity(setting, file) ?? gradeLimit(setting, file);
  return found === null ? null : { ...placeWeight(setting), ...found };
}

type Graded = Pick<Grade, "kind" | "grade" | "unit">;

function gradeSwitch(setting: Setting, { isLinter }: SettingsFile): Graded | null {
  const [key, isOn] = [nameKey(setting), readSwitch(setting.value)];
  if (isOn === null || (/^(?:enabled?|active)$/iu.test(key) && !isLinter)) return null;
  if (MORE_IF_ON.test(key)) return { kind: "grade", unit: "switch", grade: isOn ? 1 : 0 };
  // Of a module of others, which has no types.
  const isOfOthers = /missing_imports$/iu.test(key) && setting.keys.some((outer) => /^mypy-|^overrides$/iu.test(outer));
  return LESS_IF_ON.test(key) && !isOfOthers ? { kind: "grade", unit: "switch", grade: isOn ? 0 : 1 } : null;
}

function readSwitch(value: Setting["value"]): boolean | null {
  const word = String(value).toLowerCase();
  if (/^(?:true|on|yes|enabled?|1)$/u.test(word)) return true;
  return /^(?:false|off|no|none|disabled?|0)$/u.test(word) ? false : null;
}

function gradeSeverity(setting: Setting, { kind, isWordy }: SettingsFile): Graded | null {
  const { value } = setting;
  const outer = setting.keys.slice(kind === "biome" ? -3 : -2, -1);
  const isRule = OWN_RULES.test(kind) || outer.some((key) => RULES.test(key));
  if (typeof value !== "string") return isRule && !isWordy ? gradePlain(value) : null;
  // A style of .NET has its severity behind its value.
  const isStyle = kind === "dotnet" && value.includes(":");
  const key = nameKey(setting);
  const words = [isRule, isStyle, LADDERS.test(key), key.endsWith(".severity")].includes(true) ? SEVERITIES : NO_WORDS;
  const grade = words.get((isStyle ? value.replace(/^.*:/u, "") : value).toLowerCase());
  return grade === undefined ? null : { kind: "grade", unit: "severity", grade };
}

function gradePlain(value: number | boolean | null): Graded | null {
  if (typeof value === "number" && ![0, 1, 2].includes(value)) return null;
  const grade = typeof value === "number" ? [0, 2, 3][value] : value === true ? 3 : 0;
  return { kind: "grade", unit: "severity", grade: grade ?? 0 };
}

function gradeLimit(
  setting: Pick<Setting, "keys" | "value">,
  file: Pick<SettingsFile, "kind" | "isLinter">,
): Graded | null {
  const { value } = setting;
  const [key, number] = [nameKey(setting), typeof value === "string" ? readNumeral(value) : value];
  if (typeof number !== "number") return null;
  if (RETRIES.test(key)) return { kind: "grade", unit: "retry", grade: -number };
  if (isCeiling(key, file)) return { kind: "grade", unit: "limit", grade: -number };
  const isCovered = [file.kind, ...setting.keys.slice(0, -1)].some((outer) => OF_COVERAGE.test(outer));
  const isFloor = FLOORS.test(key) || (isCovered && COVERED.test(key)) || (file.kind === "phpstan" && key === "level");
  return isFloor ? { kind: "grade", unit: "limit", grade: number } : null;
}

function isCeiling(key: string, { kind, isLinter }: Pick<SettingsFile, "kind" | "isLinter">): boolean {
  if (/^max(?:imum)?$/iu.test(key)) return isLinter;
  return CEILINGS.test(key) || (/threshold$/iu.test(key) && ["clippy", "codecov"].includes(kind));
}

/** Null where no list is. */
function listItems(setting: Setting, file: SettingsFile): readonly SettingWeight[] | null {
  const own = setting.keys.findLastIndex((key) => LEFT_OUT.test(key));
  if (own === -1 && !isExceptionList(file.path)) return listAskedFor(setting, file);
  return listLeftOut({ ...setting, keys: setting.keys.slice(own + 1) }, setting, file);
}

function listAskedFor(setting: Setting, file: SettingsFile): readonly Item[] | null {
  const [key, value] = [nameKey(setting), setting.value];
  const isOfTests = TESTS_FOUND.test(key);
  const weight = placeWeight(setting);
  if (isOfTests && (value === null || value === ""))
    return [{ ...weight, kind: "argument", text: `${key} is empty`, ...OF_RUNNER }];
  const isAsked = ASKED_FOR.test(key) || (isOfTests && setsUpRunner(file.path));
  if (typeof value !== "string" || !isAsked) return null;
  const kind = { kind: "asked_for", isOfFormatter: false, isOfRunner: isOfTests } as const;
  return splitWords(value, file).map((text) => ({ ...weight, ...kind, text }));
}

function listLeftOut(inner: Setting, setting: Setting, file: SettingsFile): readonly SettingWeight[] | null {
  const { keys, value } = inner;
  const weight = { ...placeWeight(setting), name: nameKey(setting, keys.length + 1).toLowerCase() };
  if (typeof value === "number" && isExceptionList(file.path) && keys.length > 0)
    return [{ ...placeWeight(setting), kind: "grade", unit: "retry", grade: -value }];
  if (value === null || /^(?:true|false)$/iu.test(String(value))) return null;
  const isOfRunner = isRunnersList(setting, file);
  const isOfFormatter = FORMATTERS.test(`${file.path} ${setting.keys.join(" ")}`);
  const isWarning = /filterwarnings/iu.test(nameKey(setting));
  return splitWords(String(value), file).flatMap((word): readonly Item[] => {
    // What is taken back is not left out, and an inherited list is not new.
    if (/^(?:!|\$\()/u.test(word) || (isWarning && !word.startsWith("ignore"))) return [];
    return [{ ...weight, kind: "left_out", text: [...keys, word].join(" "), isOfFormatter, isOfRunner }];
  });
}

function isRunnersList({ keys }: Setting, { path }: SettingsFile): boolean {
  const names = keys.join(" ");
  return (setsUpRunner(path) || RUNNERS.test(names)) && !OF_COVERAGE.test(names) && !/filterwarnings/iu.test(names);
}

function splitWords(value: string, { isWordy }: SettingsFile): readonly string[] {
  return value
    .split(isWordy ? /[\s,;]+/u : /[,;\n]+/u)
    .map((word) => word.trim())
    .filter((word) => word !== "" && !/^(?:true|false)$/iu.test(word));
}
