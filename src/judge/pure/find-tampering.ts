import type { Language } from "../../base/language.ts";
import type { PatternRow } from "./suppression-table.ts";
import { type ChangedFile, type Occurrence, readLine } from "./changed-file.ts";
import { listOccurrences } from "./find-patterns.ts";
import { listEarlyExits } from "./early-exits.ts";
import { isUnderTest } from "./find-test-reads.ts";
import type { ScannedSource } from "../../base/scan-source.ts";

/** Code that ends a check early or changes what it relies on, and code that asks whether it is being tested. */

const SCRIPT: readonly Language[] = ["js", "ts"];
const PYTHON: readonly Language[] = ["python"];
const SHELL: readonly Language[] = ["shell"];

const row = (kind: PatternRow["kind"], languages: readonly Language[], pattern: RegExp): PatternRow => ({
  kind,
  languages,
  place: "code",
  files: "source",
  pattern,
});
/** Variables count in strings of a shell, too. */
const expanded = (...parts: Parameters<typeof row>): PatternRow => ({ ...row(...parts), place: "line" });
const bare = (...parts: Parameters<typeof row>): PatternRow => ({ ...row(...parts), place: "bare" });

const EXIT_HOOKS: readonly PatternRow[] = [
  row(
    "exit_hook",
    SCRIPT,
    /\bprocess\.(?:on|once|addListener|prependListener)\(\s*["'`](?:exit|beforeExit|uncaughtException\w*|unhandledRejection)["'`]/gu,
  ),
  row("exit_hook", PYTHON, /\batexit\.(?:register|unregister)\b|\bsys\.excepthook\s*=(?!=)/gu),
  row("exit_hook", ["ruby"], /\bat_exit\b/gu),
];

const CLOCKS = "Date|Math|JSON|Object|Array|Number|Reflect|performance|assert|expect|chai|should";
const TEST_GLOBALS =
  "Date|Math|JSON|setTimeout|setInterval|setImmediate|performance|assert|expect|test|it|describe|suite|before|after|beforeEach|afterEach|jest|vi|Promise|Object|Array|process";
const NODE_MODULES =
  "(?:node:)?(?:assert(?:/strict)?|test|fs(?:/promises)?|child_process|timers|module|perf_hooks|process|util|crypto|os)";

export const PATCHES: readonly PatternRow[] = [
  row(
    "patched_global",
    SCRIPT,
    new RegExp(String.raw`(?<![.\w])(?:${CLOCKS})(?:\.strict)?\.\w+\s*=(?![=>])|(?<![.\w])Date\s*=(?![=>])`, "gu"),
  ),
  row(
    "patched_global",
    SCRIPT,
    new RegExp(
      String.raw`\b(?:globalThis|global|self)(?:\.|\[\s*["'])(?:${TEST_GLOBALS})(?:["']\s*\])?(?:\.\w+)*\s*=(?![=>])`,
      "gu",
    ),
  ),
  row(
    "patched_global",
    SCRIPT,
    new RegExp(
      String.raw`\b(?:Object\.(?:define(?:Property|Properties)|assign)|Reflect\.(?:set|defineProperty))\(\s*(?:require\(\s*["'${"`"}]${NODE_MODULES}["'${"`"}]\s*\)|${CLOCKS}|process|(?:Object|Array|String|Number|Function|Date|Promise|Map|Set|RegExp|Error|Assertion)\.prototype)\s*,`,
      "gu",
    ),
  ),
  row(
    "patched_global",
    SCRIPT,
    /\b(?:Assertion|AssertionError|Object|Array|String|Number|Function|Date|Promise|Map|Set|RegExp|Error|Boolean|EventEmitter)\.prototype(?:\.\w+|\[[^\]\n]+\])\s*=(?![=>])/gu,
  ),
  row(
    "patched_global",
    SCRIPT,
    new RegExp(String.raw`\brequire\(\s*["'${"`"}]${NODE_MODULES}["'${"`"}]\s*\)(?:\.\w+)+\s*=(?![=>])`, "gu"),
  ),
  row(
    "patched_global",
    SCRIPT,
    /\bprocess\.(?:exit|reallyExit|emit|hrtime|uptime|on|once|exitCode|cwd|nextTick)\s*=(?![=>]|\s*[1-9]|\s*\w+)|\bprocess\.(?:exit|reallyExit|emit|hrtime)(?:\.\w+)?\s*=(?![=>])|\bModule\._\w+\s*=(?![=>])|\brequire\.cache\[[^\]\n]+\]\s*=(?![=>])/gu,
  ),
  row(
    "patched_global",
    PYTHON,
    /\b(?:builtins|__builtins__)(?:\.\w+|\[[^\]\n]+\])\s*=(?!=)|\bsetattr\(\s*(?:builtins|__builtins__|unittest|time|datetime|random|sys|os|pytest)\b|\b(?:unittest\.)?(?:case\.)?TestCase\.\w+\s*=(?!=)|\bsys\.modules\[[^\]\n]+\]\s*=(?!=)|\bsys\.(?:exit|settrace|setprofile)\s*=(?!=)/gu,
  ),
  row("patched_global", SCRIPT, /\bprocess\.(?:stdout|stderr)\.write\s*=(?![=>])/gu),
  bare(
    "hidden_name",
    SCRIPT,
    /\b(?:process|globalThis|global|window|self|assert|expect|Reflect|module|require|Date|Math)\s*\[\s*(?:["'`][ ]*["'`]\s*\+\s*["'`]|\[[^\n\]]*\]\.(?:join|reverse)\()/gu,
  ),
  row("hidden_name", SCRIPT, /\bprocess\s*(?:\?\.)?\[\s*["'`](?:exit|reallyExit|exitCode)["'`]\s*\]/gu),
  bare(
    "hidden_name",
    PYTHON,
    /\bgetattr\(\s*[\w.()]+\s*,\s*["'][ ]*["']\s*\+\s*["']|\b__import__\(\s*["'][ ]*["'](?:\s*\+\s*["'][ ]*["']|\s*\)\s*\.\s*(?:_exit|modules|exit|kill)\b)/gu,
  ),
  row("patched_global", ["go"], /\bmonkey\.Patch\w*\(|\/\/go:linkname\b/gu),
  row(
    "patched_global",
    SHELL,
    /^[ \t]*(?:function[ \t]+)?(?:\[|exit|test|assert\w*|diff|cmp|grep|command|date|sleep|set|trap|return|source|cat|printf|echo|fail)[ \t]*\(\)|\balias[ \t]+["']?(?:\[|exit|test|diff|cmp|grep|date|sleep|set|trap|return|cat)["']?=/gmu,
  ),
  bare(
    "always_equal",
    PYTHON,
    /\bdef\s+__eq__\s*\([^)\n]*\)[^:\n]*:\s*return\s+True\b|\bdef\s+__ne__\s*\([^)\n]*\)[^:\n]*:\s*return\s+False\b|\b__eq__\s*=\s*lambda\b[^:\n]*:\s*True\b/gu,
  ),
  bare(
    "always_equal",
    [...SCRIPT, "c"],
    /\b(?:equals|isEqual|deepEqual|asymmetricMatch)\s*\([^)\n]*\)\s*(?::\s*boolean\s*)?\{\s*return\s+true\b/gu,
  ),
];

const RUNNER_VARIABLES =
  "VITEST\\w*|JEST_\\w+|NODE_TEST_\\w+|NODE_V8_COVERAGE|MOCHA\\w*|AVA_\\w+|TAP(?:_\\w+)?|PLAYWRIGHT_\\w+|CYPRESS\\w*|KARMA\\w*|PYTEST\\w*|TOX_\\w+|NOX_\\w+|COVERAGE_\\w+|UNITTEST\\w*|BATS_\\w+|GO_TEST\\w*|NEXTEST\\w*|RUST_TEST_\\w+|TEST_(?:WORKER|RUNNER|MODE|ENV)\\w*|TESTING|IS_TEST\\w*|UNDER_TEST|RUNNING_TESTS|npm_lifecycle_(?:event|script)|npm_command";
const READ_VARIABLE = String.raw`(?:\benv(?:iron)?\b(?:\.get)?|\bgetenv|\bLookupEnv|\bGetenv|\benv::var(?:_os)?|\bENV|\bgetProperty)`;

export const TEST_AWARENESS: readonly PatternRow[] = [
  row(
    "asks_for_runner",
    ["js", "ts", "python", "go", "rust", "c", "ruby"],
    new RegExp(String.raw`${READ_VARIABLE}\s*(?:(?:\?\.|[.([!])\s*)*["'${"`"}]?(?:${RUNNER_VARIABLES})\b`, "gu"),
  ),
  row(
    "asks_for_runner",
    ["js", "ts", "python", "go", "rust", "c", "ruby"],
    new RegExp(
      String.raw`["'](?:${RUNNER_VARIABLES})["']\s+(?:not\s+)?in\b|\{\s*(?:${RUNNER_VARIABLES})\s*[,}:][^}\n]{0,80}\}?\s*=\s*process\.env`,
      "gu",
    ),
  ),
  row(
    "asks_for_runner",
    SCRIPT,
    /\b(?:NODE_ENV|env\.MODE|BABEL_ENV)\b["'\])]*\s*(?:!==?|===?)\s*["'`]test\w*["'`]|["'`]test\w*["'`]\s*(?:!==?|===?)\s*[\w.]*(?:NODE_ENV|env\.MODE)\b|\bimport\.meta\.(?:vitest|jest|env\??\.(?:VITEST|TEST))\b/gu,
  ),
  row(
    "asks_for_runner",
    SCRIPT,
    /\btypeof\s+\(?(?:globalThis\.|global\.|window\.)?(?:describe|it|test|jest|expect|vi|vitest|mocha|suite|jasmine|QUnit|cy|__coverage__|beforeEach)\b|\b(?:globalThis|global|window)(?:\??\.|\[\s*["'])(?:describe|it|jest|expect|vi|vitest|mocha|suite|jasmine|QUnit|__vitest\w*|__jest\w*|__coverage__|beforeEach)\b|["'`](?:describe|it|jest|expect|vi|mocha|beforeEach|__vitest_worker__|__coverage__)["'`]\s+in\s+(?:globalThis|global|window)\b/gu,
  ),
  row(
    "asks_for_runner",
    ["js", "ts", "python", "ruby"],
    /\.(?:starts_?with|startsWith)\??\(\s*["'`](?:VITEST|JEST|PYTEST|NODE_TEST|MOCHA|BATS|UNITTEST)/gu,
  ),
  row(
    "asks_for_runner",
    PYTHON,
    /["'](?:_?pytest|unittest|nose2?|doctest|coverage|tox|hypothesis)(?:\.\w+)*["']\s+(?:not\s+)?in\s+(?:sys\.)?modules\b|\bsys\.modules(?:\.get\(|\[)\s*["'](?:_?pytest|unittest|nose2?|coverage)|\bsys\.gettrace\(\)/gu,
  ),
  row(
    "asks_for_runner",
    ["go"],
    /\btesting\.Testing\(\)|\bflag\.Lookup\(\s*["`]test\.\w+|\bos\.Args(?:\[0\])?[^\n]{0,60}["`][^"`\n]*\.?test\b/gu,
  ),
  row("asks_for_runner", ["rust"], /\bcfg!\(\s*(?:not\(\s*)?test\b|#\[cfg\(\s*not\(\s*test\b/gu),
  expanded(
    "asks_for_runner",
    SHELL,
    new RegExp(
      String.raw`\$\{?(?:${RUNNER_VARIABLES})\b|-v\s+(?:${RUNNER_VARIABLES})\b|/proc/\$\{?PPID|\bps\b[^\n|]*\$\{?PPID`,
      "gu",
    ),
  ),
  row("asks_for_caller", PYTHON, /\.code_context\b|\bf_back\b[^\n]{0,40}\bf_locals\b/gu),
  expanded(
    "asks_for_caller",
    SHELL,
    /(?:\bcase\s+["']?\$\{?0\b[^\n]*\n?|\[\[?\s[^\n]*\$\{?0\b)[^\n]*(?:\.t\b|test|spec\b|\bbats|check)/gu,
  ),
  row(
    "asks_for_ci",
    ["js", "ts", "python", "go", "rust", "c", "ruby"],
    new RegExp(
      String.raw`${READ_VARIABLE}\s*(?:(?:\?\.|[.([!])\s*)*["'${"`"}]?(?:CI|GITHUB_ACTIONS|CONTINUOUS_INTEGRATION|GITLAB_CI|TRAVIS|CIRCLECI|BUILDKITE|JENKINS_URL)\b`,
      "gu",
    ),
  ),
  expanded("asks_for_ci", SHELL, /\$\{?(?:CI|GITHUB_ACTIONS|GITLAB_CI|TRAVIS|CIRCLECI)\b/gu),
  row(
    "imports_test_tool",
    SCRIPT,
    /\b(?:from|import|require\()\s*\(?\s*["'`](?:vitest|@jest\/globals|jest|mocha|chai|ava|tap|node:test|sinon|@testing-library\/\w+|jasmine|bun:test|@playwright\/test)(?:\/[^"'`\n]*)?["'`]/gu,
  ),
  row(
    "imports_test_tool",
    PYTHON,
    /^[ \t]*(?:import|from)[ \t]+(?:pytest|_pytest|unittest|nose2?|hypothesis|doctest)\b/gmu,
  ),
  row("imports_test_tool", ["go"], /"testing"(?<=^[ \t]*(?:import[ \t]+)?(?:\w+[ \t]+)?"testing")/gmu),
];

/** Where code learns who calls it, or how the process was started. */
export const CALLER_QUESTIONS: readonly PatternRow[] = [
  row(
    "asks_for_caller",
    SCRIPT,
    /\.stack\b|\bcaptureStackTrace\b|\bprepareStackTrace\b|\bprocess\.(?:argv0?|execArgv|mainModule|title|ppid)\b|\brequire\.main\b|\bmodule\.(?:parent|children)\b|\barguments\.callee\b/gu,
  ),
  row(
    "asks_for_caller",
    PYTHON,
    /\binspect\.(?:stack|currentframe|getouterframes|getframeinfo)\b|\bsys\._getframe\b|\btraceback\.(?:extract_stack|format_stack|walk_stack)\b|\bsys\.(?:argv|orig_argv)\b|\b__main__\b|\bos\.getppid\(/gu,
  ),
  row("asks_for_caller", ["go"], /\bruntime\.Callers?\(|\bdebug\.Stack\(|\bos\.Args\b/gu),
  expanded("asks_for_caller", SHELL, /\bBASH_SOURCE\[\d*[1-9@]|\$\(\s*caller\b|\bFUNCNAME\[/gu),
  row(
    "asks_for_caller",
    ["rust", "c", "ruby"],
    /\bBacktrace\b|\bgetStackTrace\(|\bcaller(?:_locations)?\b|\bStackTrace\b|\benv::args\b/gu,
  ),
  row("asks_for_caller", ["js", "ts", "python", "go", "rust", "c", "ruby"], /["'`]\/proc\/(?:self\b|\$|\{|["'`])/gu),
];

/** A literal that names tests, near a look at the caller. */
export const NAMES_TESTS =
  /\btests?\b|[._/-](?:test|spec)s?\b|\b(?:test|spec)[._/-]|_test\b|pytest|unittest|vitest|\bjest|mocha|\bbats\b|--test/iu;

/** Early exits, patched globals and code that asks whether it is being tested: by table, and by what stands around. */

export function listTampering(source: ScannedSource, file: ChangedFile): readonly Occurrence[] {
  const { role } = file;
  if (source.language === "settings") return [];
  const exits = listEarlyExits(source, file);
  if (role === "test") return exits;
  return [
    ...exits,
    ...listOccurrences(source, EXIT_HOOKS, "source"),
    ...listOccurrences(source, PATCHES, role),
    ...listPatchedImports(source),
    ...(isUnderTest(file) ? [...listAwareness(source, file), ...listCallerLooks(source)] : []),
  ];
}

/** What asks for a global of a test runner, and not for a variable of that name. */
function listAwareness(source: ScannedSource, { role }: ChangedFile): readonly Occurrence[] {
  return listOccurrences(source, TEST_AWARENESS, role).filter(({ at }) => {
    const name = /^typeof\s+\(?(?<name>\w+)/u.exec(source.code.slice(at, at + 40))?.groups?.["name"];
    return name === undefined || !isBound(source.code, name);
  });
}

/** A variable, a parameter, or what is imported. */
function isBound(code: string, name: string): boolean {
  const own = String.raw`(?<![\w$.]|\btypeof\s)${name}(?![\w$])`;
  const bound = [
    String.raw`\b(?:const|let|var|function|class|import)\b[^;=()\n]{0,200}${own}`,
    String.raw`${own}\s*=>`,
    String.raw`(?:\bfunction\b[^(\n]{0,80}|^\s*(?:async\s+|static\s+)?(?!(?:if|while|for|switch|catch|with)\b)\w+\s*)\([^()]{0,300}${own}[^()]{0,300}\)\s*(?::[^;{]{1,80})?\{`,
    String.raw`\([^()]{0,300}${own}[^()]{0,300}\)\s*(?::[^;{=]{1,80})?=>`,
  ];
  return new RegExp(bound.join("|"), "mu").test(code);
}

/** Modules of the platform that tests rely on. */
const OWNED_BY_OTHERS: ReadonlyMap<Language, RegExp> = new Map([
  [
    "js",
    /\b(?:import\s+(?<clause>[\w$*{},\s]{1,200}?)\s*from\s+|(?:const|let|var)\s+(?<bound>[\w$]+|\{[\w$:,\s]{1,200}\})\s*=\s*(?:require|await\s+import)\(\s*)["'`](?:node:)?(?:assert(?:\/strict)?|test|timers|perf_hooks|child_process|module|vitest|chai|expect)["'`]/gu,
  ],
  [
    "python",
    /^[ \t]*import[ \t]+(?<module>time|datetime|random|unittest|pytest|subprocess|uuid|secrets|inspect|builtins|math|json)(?:[ \t]+as[ \t]+(?<alias>\w+))?|^[ \t]*from[ \t]+(?:datetime|unittest|random)[ \t]+import[ \t]+(?<member>\w+)(?:[ \t]+as[ \t]+(?<other>\w+))?/gmu,
  ],
]);

/** Assignments to a member of such a module, whatever its name is here. */
function listPatchedImports(source: ScannedSource): readonly Occurrence[] {
  const imports = OWNED_BY_OTHERS.get(source.language === "ts" ? "js" : source.language);
  if (imports === undefined) return [];
  const names = new Set([...source.text.matchAll(imports)].flatMap(({ groups }) => readName(groups ?? {})));
  if (names.size === 0) return [];
  const assignment =
    /(?<![.\w$])(?<root>[\w$]+)(?:\.[\w$]+|\[[^\]\n]{1,80}\])+\s*=(?![=>])|\b(?:Object\.(?:assign|define\w+)|Reflect\.(?:set|defineProperty)|setattr)\(\s*(?<owner>[\w$]+)\b/gu;
  return [...source.code.matchAll(assignment)].flatMap(({ index, groups }) =>
    names.has(groups?.["root"] ?? groups?.["owner"] ?? "")
      ? [{ kind: "patched_global" as const, at: index, text: readLine(source.text, index) }]
      : [],
  );
}

function readName(groups: Readonly<Record<string, string | undefined>>): readonly string[] {
  const { clause, bound, alias, other, module, member } = groups;
  const script = clause ?? bound;
  if (script !== undefined) return script.replaceAll(/[\w$*]+\s*(?:\bas\b|:)/gu, " ").match(/[\w$]+/gu) ?? [];
  return [alias ?? other ?? module ?? member].filter((name) => name !== undefined);
}

/** How many characters after a look at the caller its use is expected. */
const NEAR_CHARS = 300;

function listCallerLooks(source: ScannedSource): readonly Occurrence[] {
  const names = source.literals.filter(({ text }) => text.length <= NEAR_CHARS && NAMES_TESTS.test(text));
  const near = new Set(names.flatMap(({ at }) => [-1, 0, 1].map((step) => findStretch(at) + step)));
  if (near.size === 0) return [];
  return listOccurrences(source, CALLER_QUESTIONS, "source").filter(({ at }) => near.has(findStretch(at)));
}

function findStretch(at: number): number {
  return Math.floor(at / NEAR_CHARS);
}
