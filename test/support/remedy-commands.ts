/** The commands that the sources tell a person to type. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { COMMANDS } from "../../src/command-list.ts";

const NAMES = COMMANDS.map(({ name }) => name).join("|");
/** In a sentence, a command stands between backquotes. */
const QUOTED = new RegExp(`\`((?:relais (?:${NAMES})|git)(?: [^\`]+)?)\``, "gu");
/** What is a command as a whole, as the steps of a card are. */
const WHOLE = new RegExp(
  `^(?:relais (?:${NAMES})|git (?:stash|switch|show|apply|push|log|branch))(?: [^]*[^.])?$`,
  "u",
);

/** Each with the files that name it; what is filled in later is `${}`. Help and its examples are held by another test. */
export function listRemedyCommands(folder = "src"): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
    if (!/\.tsx?$/u.test(file) || file.endsWith("-spec.ts")) continue;
    for (const text of listTexts(join(folder, file)))
      for (const command of listCommands(text)) found.set(command, [...new Set([...(found.get(command) ?? []), file])]);
  }
  return found;
}

/** Text that is filled in before an option may be missing. */
function listCommands(given: string): readonly string[] {
  const text = given.replaceAll("${}--", "--");
  if (WHOLE.test(text)) return [text];
  return [...text.matchAll(QUOTED)].map(([, command = ""]) => command);
}

function listTexts(path: string): readonly string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    else if (ts.isTemplateExpression(node))
      texts.push(node.head.text + node.templateSpans.map(({ literal }) => `\${}${literal.text}`).join(""));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest));
  return texts;
}
