import type { CheckRule, RuleSetting } from "../../base/check-rules.ts";
import type { Sides } from "./new-in-change.ts";
import { KINDS, type Kind } from "./kinds.ts";
import { findLanguage, isGenerated, type Language, saysGenerated } from "../../base/language.ts";
import { type ScannedSource, scanSource } from "../../base/scan-source.ts";

/** One place where a change weakens the checks. */
export interface Weakening {
  readonly rule: CheckRule;
  readonly kind: Kind;
  readonly line: number;
  /** The line itself, shortened. */
  readonly text: string;
  readonly default: Exclude<RuleSetting, "off">;
}

export interface ChangedText {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** What a file is: a test, a file with settings of tools, or code. */
type FileRole = "test" | "settings" | "source";

export interface ChangedFile {
  readonly path: string;
  readonly role: FileRole;
  readonly language: Language;
  readonly before: ScannedSource | null;
  readonly after: ScannedSource | null;
}

/** One match of a pattern. `text` is its line without surrounding space. */
export interface Occurrence {
  readonly kind: Kind;
  readonly at: number;
  readonly text: string;
  /** What it is about, where that names it better than its text: a skip is the same with another reason. */
  readonly about?: string;
}

/** What was found in both sides of a file. */
export interface FileOccurrences extends Sides<Occurrence> {
  readonly file: ChangedFile;
}

export interface FileTests {
  readonly isTest: (path: string) => boolean;
  readonly isSettings: (path: string) => boolean;
}

/** Null if nothing in it can be judged: a document, a generated file, or no text. */
export function readChangedFile({ path, before, after }: ChangedText, tests: FileTests): ChangedFile | null {
  const text = after ?? before ?? "";
  const language = findLanguage(path, text);
  if (language === null || isGenerated(path, text) || (before !== null && saysGenerated(before))) return null;
  const scan = (side: string | null) => (side === null ? null : scanSource(side, language));
  return { path, language, role: findRole(path, tests), before: scan(before), after: scan(after) };
}

/** Conventions that the configured globs may not have. */
const TEST_NAMES =
  /(?:^|\/)(?:tests?|__tests__|specs?|test-d|testdata|e2e|__mocks__|fixtures|[^/]*(?:_tests?|-tests|\.\w*Tests?))\/|[._-](?:test|spec)(?:-d)?\.\w+$|(?:^|\/)(?:conftest|test_\w+)\.py$|Tests?\.(?:java|kt|cs|swift|php)$/u;

const SETTINGS_NAMES = /\.config\.\w+$|(?:^|\/)\.[\w-]+rc\.\w+$/u;

/** Whether a file is a test by the usual names. */
export function isTestName(path: string): boolean {
  return TEST_NAMES.test(path);
}

function findRole(path: string, { isTest, isSettings }: FileTests): FileRole {
  if (isTest(path) || isTestName(path)) return "test";
  return isSettings(path) || SETTINGS_NAMES.test(path) ? "settings" : "source";
}

const TEXT_CHARS_MAX = 160;

export function makeWeakening(kind: Kind, source: Pick<ScannedSource, "text">, at: number): Weakening {
  const { rule, default: level } = KINDS[kind];
  const text = readLine(source.text, at).slice(0, TEXT_CHARS_MAX);
  return { rule, kind, line: countLine(source.text, at), text, default: level === "unusual" ? "hold" : level };
}

export function countLine(text: string, at: number): number {
  let line = 1;
  for (let next = text.indexOf("\n"); next !== -1 && next < at; next = text.indexOf("\n", next + 1)) line += 1;
  return line;
}

/** Without surrounding space, and not beyond this length in a text of one line. */
const AROUND_CHARS = 400;

export function readLine(text: string, at: number): string {
  const start = Math.max(text.lastIndexOf("\n", at - 1) + 1, at - AROUND_CHARS);
  const newline = text.indexOf("\n", at);
  return text.slice(start, Math.min(newline === -1 ? text.length : newline, at + AROUND_CHARS)).trim();
}
