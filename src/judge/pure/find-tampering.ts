/** Early exits, patched globals and code that asks whether it is being tested: by table, and by what stands around. */
import type { ChangedFile, Occurrence } from "./changed-file.ts";
import { readLine } from "./changed-file.ts";
import { listOccurrences } from "./find-patterns.ts";
import { isUnderTest } from "./find-test-reads.ts";
import type { Language } from "../../base/language.ts";
import type { ScannedSource } from "../../base/scan-source.ts";
import { CALLER_LOOKS, EARLY_EXITS, NAMES_TESTS, PATCHES, TEST_AWARENESS } from "./tamper-table.ts";

export function listTampering(source: ScannedSource, file: ChangedFile): readonly Occurrence[] {
  const { path, role } = file;
  if (role === "test" || source.language === "settings") return [];
  return [
    // A script that a check starts is no program of its own.
    ...listEarlyExits(source, role === "source" && isProgram(path, source.text)),
    ...listOccurrences(source, PATCHES, role),
    ...listPatchedImports(source),
    ...(isUnderTest(file) ? [...listOccurrences(source, TEST_AWARENESS, role), ...listCallerLooks(source)] : []),
  ];
}

const PROGRAM_FOLDERS =
  /(?:^|\/)(?:bin|cli|cmd|commands?|scripts?|tools?|examples?|bench(?:marks?)?|tasks|ci|docs?|\.github)\//iu;
const PROGRAM_NAMES = /(?:^|\/)(?:cli|__main__|setup|manage|gulpfile|gruntfile)\.\w+$/iu;
const PROGRAM_TEXT = /^#!|\bif\s+__name__\s*==|^package\s+main\b|\brequire\.main\s*===|\bimport\.meta\.main\b/mu;

function isProgram(path: string, text: string): boolean {
  return PROGRAM_FOLDERS.test(path) || PROGRAM_NAMES.test(path) || PROGRAM_TEXT.test(text);
}

/** No honest program ends like this, wherever it is. */
const NEVER_HONEST = /\bos\._exit\(\s*0|\breallyExit\(|\bexitCode\s*=\s*0|\btrap\b|\bexec\s+(?:true|:)|\bGoexit/u;
const TRAPS_EXIT = /\btrap\b[^\n]*\b(?:EXIT|ERR|0)\b/u;

/** A program may end itself; a module that others load may not. */
function listEarlyExits(source: ScannedSource, isExecuted: boolean): readonly Occurrence[] {
  const isTrap = source.language === "shell" && TRAPS_EXIT.test(source.code);
  return listOccurrences(source, EARLY_EXITS, "source").map((occurrence) => {
    if (occurrence.kind !== "exit_zero") return occurrence;
    const isHonest =
      isExecuted && !isTrap && !NEVER_HONEST.test(occurrence.text) && !isTopLevelExit(source, occurrence.at);
    return isHonest ? { ...occurrence, kind: "exit_zero_in_program" as const } : occurrence;
  });
}

/** In a shell script, code after an unconditional exit never runs. */
function isTopLevelExit({ code, language }: ScannedSource, at: number): boolean {
  if (language !== "shell") return false;
  const isAtMargin = at === 0 || code.charAt(at - 1) === "\n";
  return isAtMargin && /\n\s*[^\s}]/u.test(code.slice(at));
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
  return listOccurrences(source, CALLER_LOOKS, "source").filter(({ at }) => near.has(findStretch(at)));
}

function findStretch(at: number): number {
  return Math.floor(at / NEAR_CHARS);
}
