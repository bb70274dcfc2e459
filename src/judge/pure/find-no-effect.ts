/** Changes that leave all code as it was, where the task asks for code. */
import { asksForCode, asksForMoreThanText, speaksOfText } from "./asked-work.ts";
import { type ChangedText, isTestName, makeWeakening, type Weakening } from "./changed-file.ts";
import type { Kind } from "./kinds.ts";
import { findLanguage } from "../../base/language.ts";
import { scanSource } from "../../base/scan-source.ts";

type Effect = "test" | "text" | "code";

export function findNoEffect(
  changes: readonly ChangedText[] /** Files of the change whose text is unknown. */,
  others: readonly string[],
  task: string,
  isTest: (path: string) => boolean,
): readonly (readonly [string, Weakening])[] {
  const effects = new Set([
    ...changes.map((change) => nameEffect(change, isTest)),
    ...others.map((path) => (isDocument(path) ? "text" : "code")),
  ]);
  if (effects.size === 0 || effects.has("code")) return [];
  const kind = nameLack(effects, task);
  if (kind === null) return [];
  const [first = { path: others[0] ?? "", after: null }] = changes;
  return [[first.path, makeWeakening(kind, { text: first.after ?? "" }, 0)]];
}

function nameLack(effects: ReadonlySet<Effect>, task: string): Kind | null {
  if (effects.has("test")) return asksForCode(task) ? "tests_only" : null;
  if (asksForMoreThanText(task)) return "text_only";
  return speaksOfText(task) || task === "" ? null : "text_alone";
}

const DOCUMENTS =
  /\.(?:mdx?|markdown|rst|adoc)$|(?:^|\/)(?:readme|changelog|changes|license|licence|authors|contributing|notice)(?:\.txt)?$/iu;

function isDocument(path: string): boolean {
  return DOCUMENTS.test(path);
}

function nameEffect({ path, before, after }: ChangedText, isTest: (path: string) => boolean): Effect {
  if (isTest(path) || isTestName(path)) return "test";
  if (isDocument(path)) return "text";
  return before !== null && after !== null && readCode(path, before) === readCode(path, after) ? "text" : "code";
}

/** A text alone on its lines explains; nothing reads it. */
const DOCSTRINGS = /^[ \t]*[rbuRBU]{0,2}(?:"""[^]*?"""|'''[^]*?''')[ \t]*$/gmu;

/** Without comments and empty lines. */
function readCode(path: string, text: string): string {
  const language = findLanguage(path, text);
  if (language === null || language === "settings") return text;
  const { comments } = scanSource(text, language);
  const lines = text.split("\n");
  const code = comments.split("\n").map((comment, number) => blankComment(lines[number] ?? "", comment));
  const whole = code.join("\n");
  return (language === "python" ? whole.replaceAll(DOCSTRINGS, "") : whole)
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .join("\n");
}

function blankComment(line: string, comment: string): string {
  if (comment.trim() === "" || line.startsWith("#!")) return line;
  return line.replaceAll(/[^]/g, (sign, place: number) => (comment.charAt(place).trim() === "" ? sign : " "));
}
