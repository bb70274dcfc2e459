/** Lists of exceptions: what a project's own tools leave out. A new entry says less, whatever the tool is. */
import type { ChangedFile, Occurrence } from "./changed-file.ts";
import { hasToolSettings } from "./find-settings.ts";
import { isExceptionList } from "../../base/language.ts";

const KEYS =
  /(?:^|[\s{,[])["']?(?:extend-|extend_)?(?:ignore|ignores|per-file-ignores|exclude|omit|exclude_lines|exclude_also|testPathIgnorePatterns|coveragePathIgnorePatterns|ignorePatterns|modulePathIgnorePatterns|deselect|norecursedirs|collect_ignore|disable|disabled|known_failures|allowlist|xfail|quarantine|skips|skip|disable_error_code|ignoreDependencies|ignoreExportsUsedInFile|ignoreBinaries|filterwarnings)["']?\s*[:=][ \t]*/gu;

const LISTS_MAX = 50;

/** The entries of such a file, or of such a list in settings. */
export function listExceptions({ path, role }: ChangedFile, text: string): readonly Occurrence[] {
  if (isExceptionList(path)) return listLines(text, 0);
  if (!hasToolSettings({ path, role })) return [];
  return [...listSectionEntries(text), ...listKeyEntries(text)];
}

const SECTIONS = /^\[[\w.-]*per-file-ignores\][^\n]*\n(?<body>(?:(?!\[)[^\n]*\n?){1,100})/gmu;

/** A section of TOML, with an entry on each line. */
function listSectionEntries(text: string): readonly Occurrence[] {
  return [...text.matchAll(SECTIONS)].flatMap(({ index, groups, [0]: section }) => {
    const body = groups?.["body"] ?? "";
    return listLines(body, index + section.length - body.length);
  });
}

function listKeyEntries(text: string): readonly Occurrence[] {
  return [...text.matchAll(KEYS)].slice(0, LISTS_MAX).flatMap(({ index, [0]: key }) => {
    const start = index + key.length;
    return listEntries(text.slice(start, findListEnd(text, start)), start);
  });
}

function listLines(text: string, offset: number): readonly Occurrence[] {
  return [...text.matchAll(/^[^\n]+$/gmu)].flatMap(({ index, [0]: line }) => {
    const entry = line.trim().replace(/,$/u, "");
    return /^(?:#|\/\/|;|[{}[\]()]*$)/u.test(entry) ? [] : [makeEntry(entry, offset + index)];
  });
}

function listEntries(list: string, offset: number): readonly Occurrence[] {
  return [...list.matchAll(/["'](?<quoted>[^"'\n]{1,300})["']|(?<plain>[^\s,"'[\]{}#]{2,300})/gu)].map(
    ({ index, groups }) => makeEntry(groups?.["quoted"] ?? groups?.["plain"] ?? "", offset + index),
  );
}

function makeEntry(text: string, at: number): Occurrence {
  return { kind: "ignore_entry", at, text };
}

/** A longer list is cut. */
const LIST_CHARS_MAX = 8000;

/** The end of the brackets, of the line, or of the lines that are indented below a bare key. */
function findListEnd(text: string, start: number): number {
  const near = text.slice(start, start + LIST_CHARS_MAX);
  const open = near.charAt(0);
  if (open === "[" || open === "{") return start + findClosing(near, open === "[" ? "]" : "}");
  const newline = near.indexOf("\n");
  if (newline !== 0) return start + (newline === -1 ? near.length : newline);
  return start + (/^(?:\n[ \t]+[^\n]*)*/u.exec(near)?.[0].length ?? 0);
}

function findClosing(near: string, close: string): number {
  const end = near.indexOf(close);
  return end === -1 ? near.length : end;
}
