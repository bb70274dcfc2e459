/**
 * Calls that end the process with status 0, or with a status that the line does not name. What ends the process before
 * its runner has spoken looks like a passed check. A program may end itself, from its entry; a module that others load
 * may not, and a test may not either.
 */
import { type ChangedFile, type Occurrence, readLine } from "./changed-file.ts";
import type { Language } from "../../base/language.ts";
import type { ScannedSource } from "../../base/scan-source.ts";

interface ExitRow {
  readonly languages: readonly Language[];
  /** Files of this ending only, in a family of languages. */
  readonly files: RegExp;
  /** The statuses that say success. */
  readonly success: RegExp;
  /** Up to the bracket of the status, or the whole of it where there is none. Searched without strings and comments. */
  readonly pattern: RegExp;
}

const ZERO = /^(?:0\w*|None|null|undefined|false|EXIT_SUCCESS)?$/u;

const ANY_FILE = /$/u;
const row = (languages: readonly Language[], pattern: RegExp, files = ANY_FILE, success = ZERO): ExitRow => ({
  languages,
  pattern,
  files,
  success,
});
const SCRIPT: readonly Language[] = ["js", "ts"];
const C: readonly Language[] = ["c"];

const CALLS: readonly ExitRow[] = [
  row(SCRIPT, /\b(?:process(?:\?\.|\.)(?:exit|reallyExit)|Deno\.exit)(?:\?\.)?\(/gu),
  row(
    SCRIPT,
    /(?<![\w$.]|\bfunction[ ])exit\((?=\s*(?:0|false|null|undefined)\s*\))|(?<!\b(?:app|process\??|Deno))\.exit\((?=\s*0\s*\))/gu,
  ),
  row(
    SCRIPT,
    /\bprocess\.exitCode\s*=\s*0\b|\bprocess\.(?:exit|reallyExit)\.(?:bind|call|apply)\(|\bsetTimeout\(\s*process\.exit\b/gu,
  ),
  row(["python"], /(?:\bos\.|\bposix\.|\)\.|(?<![.\w]))_exit\(|\b(?:sys\.exit|quit|(?<![.\w]|\bdef[ ])exit)\(/gu),
  row(["python"], /\braise\s+SystemExit\b(?:\(|(?!\())|\bos\.exec[lv]\w*\(/gu),
  row(["go"], /\b(?:os|syscall)\.Exit\(|\bruntime\.Goexit\(\)/gu),
  row(["rust"], /\b(?:process::exit|libc::_?exit)\(/gu),
  row(C, /\bSystem\.exit\(|\.halt\(|\bexitProcess\(/gu, /\.(?:java|kts?|scala|groovy)$/u),
  row(C, /\bEnvironment\.Exit\(/gu, /\.cs$/u),
  row(C, /(?<![.\w])(?:_exit|_Exit|quick_exit|exit)\(/gu, /\.(?:c|h|cc|cpp|cxx|hpp|m|mm|swift|dart)$/u),
  row(C, /(?<![.\w$>:\\]|\bfunction[ ])(?:exit|die)\b\s*(?:\(|(?=;))/giu, /\.php$/u, /^(?:0|["'][^]*)?$/u),
  row(
    ["ruby"],
    /(?<![.\w@:]|\bdef[ ])(?:Process\.|Kernel\.)?exit!?(?:\(|(?=[ \t]*(?:$|;|\b(?:if|unless)\b|(?:0|true)\b)))/gmu,
    ANY_FILE,
    /^(?:0|true)?$/u,
  ),
  row(
    ["shell"],
    /(?<![\w$./-])exit(?:[ \t]+0)?[ \t]*(?=$|[;})#&|])|\bexec\s+(?:true|:)(?=\s|$)|\bkill\b[^\n;|]*\$\{?PPID\b/gmu,
  ),
  row(
    ["shell"],
    /\btrap\s+(?:--\s+)?["']?[^\n]{0,200}?\bexit\b(?:\s+0)?[^\n]{0,80}?["']\s+[^\n]{0,40}\b(?:EXIT|0|ERR)\b/gu,
  ),
];

/** More of them say nothing new. */
const EXITS_MAX = 1000;

export function listEarlyExits(source: ScannedSource, file: Pick<ChangedFile, "path" | "role">): readonly Occurrence[] {
  return findExits(source, file.path)
    .slice(0, EXITS_MAX)
    .flatMap((exit) => {
      const status = readStatus(source, exit);
      if (status === "failure") return [];
      const text = readLine(source.text, exit.at);
      const isInProgram =
        file.role === "source" && !isNeverHonest(source, exit.at, text) && isEntry(source, file.path, exit.at);
      // A test may answer with what its runner said.
      if (status === "computed" && (isInProgram || file.role !== "source")) return [];
      return [{ kind: isInProgram ? ("exit_zero_in_program" as const) : ("exit_zero" as const), at: exit.at, text }];
    });
}

interface Exit {
  readonly at: number;
  readonly success: RegExp;
}

function findExits({ code, text, language }: ScannedSource, path: string): readonly Exit[] {
  // Words of a shell need their quotes.
  const searched = language === "shell" ? text : code;
  const rows = CALLS.filter(({ languages, files }) => languages.includes(language) && files.test(path));
  return rows.flatMap(({ pattern, success }) =>
    [...searched.matchAll(pattern)].flatMap(({ index }) =>
      code.charAt(index) === text.charAt(index) ? [{ at: index, success }] : [],
    ),
  );
}

const STATUS_CHARS = 80;
const STATUS = /^[\w.?:! ]*\((?<status>[^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)/u;
const FAILURE = /^(?:-?\s*[1-9]\d*\w?|0x\w*[1-9a-f]\w*|false|EXIT_FAILURE|f?["'][^]*|status\s*[:=]\s*[1-9]\d*)$/u;
/** What a program's own main function said is its status. */
const MAIN = /^(?:await\s+)?(?:\w+(?:\.|::))*(?:main|run)\(/iu;

type Status = "success" | "failure" | "computed";

function readStatus({ code, text }: ScannedSource, { at, success }: Exit): Status {
  const call = STATUS.exec(code.slice(at, at + STATUS_CHARS));
  if (call === null) return "success";
  const end = at + call[0].length - 1;
  const status = text.slice(end - (call.groups?.["status"] ?? "").length, end).trim();
  if (success.test(status)) return "success";
  return FAILURE.test(status) || MAIN.test(status) ? "failure" : "computed";
}

/** Code that a person starts: it may end itself, wherever it stands in the file. */
const PROGRAM_FOLDERS =
  /(?:^|\/)(?:bin|cli|cmd|commands?|scripts?|tools?|examples?|samples?|bench(?:marks?)?|tasks|ci|docs?|\.github)\//iu;
const PROGRAM_NAMES = /(?:^|\/)(?:cli|main|__main__|Program|setup|manage|gulpfile|gruntfile)\.\w+$/iu;
/** The header of a block that runs only where the file itself is started. */
const ENTRIES =
  /\bmain\s*(?:\(|=)|\bMain\s*\(|\b__name__\s*[=!]=|\brequire\.main\b|\bimport\.meta\.main\b|\bprocess\.argv\[1\]|\b__FILE__\s*==|\$PROGRAM_NAME\b/u;

function isEntry(source: ScannedSource, path: string, at: number): boolean {
  const headers = listHeaders(source, at);
  // It runs as soon as anything of the package does.
  if (headers.some((header) => /^func init\(\)|^\s*static$/mu.test(header))) return false;
  if (PROGRAM_FOLDERS.test(path) || PROGRAM_NAMES.test(path) || source.text.startsWith("#!")) return true;
  return headers.some((header) => ENTRIES.test(header));
}

/** How far back a block may begin. */
const BLOCK_CHARS = 20_000;

/** The first lines of the blocks around a place, the innermost first. */
function listHeaders({ code, language }: ScannedSource, at: number): readonly string[] {
  return language === "python" || language === "ruby" ? listLessIndented(code, at) : listOpenBraces(code, at);
}

function listLessIndented(code: string, at: number): readonly string[] {
  const lines = code.slice(Math.max(0, at - BLOCK_CHARS), at).split("\n");
  const headers: string[] = [];
  let indent = (lines.pop() ?? "").search(/\S|$/u);
  for (const line of lines.toReversed()) {
    const own = line.search(/\S/u);
    if (own === -1 || own >= indent) continue;
    headers.push(line.trim());
    indent = own;
    if (own === 0) break;
  }
  return headers;
}

function listOpenBraces(code: string, at: number): readonly string[] {
  const headers: string[] = [];
  let depth = 0;
  for (let place = at - 1; place >= Math.max(0, at - BLOCK_CHARS); place -= 1) {
    const sign = code.charAt(place);
    if (sign === "}") depth += 1;
    if (sign !== "{") continue;
    if (depth === 0) headers.push(readHeader(code, place));
    else depth -= 1;
  }
  return headers;
}

function readHeader(code: string, end: number): string {
  const start = Math.max(...[";", "{", "}", "\n\n"].map((sign) => code.lastIndexOf(sign, end - 1)));
  return code.slice(Math.max(start + 1, end - 400), end).trim();
}

/** No honest program ends like this, wherever it is. */
const NEVER_HONEST =
  /\bos\._exit\(\s*0|\breallyExit\(|\bexitCode\s*=\s*0|\btrap\b|\bexec\s+(?:true|:)|\bGoexit|\.halt\(/u;
const TRAPS_EXIT = /\btrap\b[^\n]*\b(?:EXIT|ERR|0)\b/u;

function isNeverHonest({ code, language }: ScannedSource, at: number, text: string): boolean {
  if (NEVER_HONEST.test(text)) return true;
  if (language !== "shell") return false;
  // In a shell script, code after an unconditional exit never runs.
  const isAtMargin = at === 0 || code.charAt(at - 1) === "\n";
  return TRAPS_EXIT.test(code) || (isAtMargin && /\n\s*[^\s}]/u.test(code.slice(at)));
}
