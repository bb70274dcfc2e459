/**
 * What a document says about the repository that is not so.
 *
 * Docs go stale where nobody looks, so everything in them that has a name of its own is looked up: links and their anchors,
 * paths, command lines, keys of the configuration, codes, and scripts of npm.
 */
import { dirname, join, normalize } from "node:path";
import { anchorOf } from "../../scripts/troubleshooting-page.ts";
import { commandFault } from "./doc-commands.ts";

export interface DocWorld {
  /** The text of a file, the empty text for a folder, and null for what is not there. */
  readonly read: (path: string) => string | null;
  /** Every key of the configuration and of a task, with dots, sections included. */
  readonly keys: ReadonlySet<string>;
  readonly codes: ReadonlySet<string>;
  readonly scripts: ReadonlySet<string>;
}

interface Document {
  readonly path: string;
  readonly text: string;
}

/** One sentence for each fault, with the place where it stands. */
export function docFaults(document: Document, world: DocWorld): readonly string[] {
  const found = [
    ...linkFaults(document, world),
    ...inCode(document.text).flatMap((code) => codeFaults(code, world)),
    ...commandLines(document.text).map(commandFault),
    ...codesIn(document.text)
      .filter((code) => !world.codes.has(code))
      .map((code) => `there is no code ${code}`),
    ...matches(document.text, /npm run ([a-z][a-z:-]*)/g)
      .filter((name) => !world.scripts.has(name))
      .map((name) => `there is no npm script ${name}`),
  ];
  return found.filter((fault) => fault !== null).map((fault) => `${document.path}: ${fault}`);
}

const matches = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? "");

const FENCE = /^( *)```(?<language>[a-z]*)\n(?<body>[^]*?)^\1```$/gm;
const withoutFences = (text: string) => text.replaceAll(FENCE, "");

function linkFaults({ path, text }: Document, { read }: DocWorld): readonly string[] {
  const targets = matches(withoutFences(text).replaceAll(/`[^`\n]*`/g, ""), /\]\((?!https?:|mailto:)([^)\s]+)\)/g);
  return targets.flatMap((target) => {
    const [file = "", anchor] = target.split("#");
    const place = file === "" ? path : normalize(join(dirname(path), file));
    const linked = place === path ? text : read(place);
    if (linked === null) return [`the link ${target} leads nowhere`];
    return anchor === undefined || anchorsOf(linked).has(anchor) ? [] : [`${place} has no heading #${anchor}`];
  });
}

function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const heading of matches(withoutFences(text), /^#{1,6} (.+)$/gm)) {
    const name = anchorOf(heading);
    let free = name;
    for (let times = 1; anchors.has(free); times += 1) free = `${name}-${times}`;
    anchors.add(free);
  }
  return anchors;
}

/** What stands in backticks within a line or over its end, fences left out. */
function inCode(text: string): readonly string[] {
  return matches(withoutFences(text), /(?<!`)`([^`]+)`(?!`)/g).map((code) =>
    code.replaceAll("\n", " ").replaceAll(String.raw`\|`, "|"),
  );
}

const OUR_PATH = /^(?:src|test|docs|schemas|scripts|prompts|man|\.ci)\/[\w./-]*[\w/-]$/;
const DOTTED = /^(?<key>\$?[a-z_]+(?:\.[a-z_<>[\]*]+)+)(?:[ :=].*)?$/;
const FILE_NAME = /\.(?:md|json|jsonl|ts|mjs|txt|patch|log|yml|toml|test|real|service)$/;

function codeFaults(code: string, { read, keys }: DocWorld): readonly string[] {
  if (OUR_PATH.test(code)) return read(code) === null ? [`there is no ${code}`] : [];
  const key = DOTTED.exec(code)?.groups?.["key"] ?? "";
  if (key === "" || FILE_NAME.test(key) || !isMeantAsKey(key, keys)) return [];
  return isKey(key, keys) ? [] : [`there is no key ${key}`];
}

/** Whatever begins with one of our sections, or ends with one of our names. */
function isMeantAsKey(key: string, keys: ReadonlySet<string>): boolean {
  const parts = key.split(".");
  return keys.has(parts[0] ?? "") || [...keys].some((known) => known.endsWith(`.${parts.at(-1)}`));
}

function isKey(key: string, keys: ReadonlySet<string>): boolean {
  const pattern = key.replaceAll(/[.[\]]/g, String.raw`\$&`).replaceAll(/<[a-z]+>|\*/g, "[^.]+");
  const form = new RegExp(`^${pattern}$`);
  return [...keys].some((known) => form.test(known));
}

/** Lines that are typed: whole spans of code, and what stands in blocks of a shell, of text or of no language. */
function commandLines(text: string): readonly string[] {
  const spans = inCode(text).filter((code) => /^(?:\w+=\S+ )*relais(?: |$)/.test(code));
  const blocks = [...text.matchAll(FENCE)].flatMap(({ groups }) =>
    typedIn(groups?.["language"] ?? "", (groups?.["body"] ?? "").split("\n")),
  );
  // In a sentence, an option may stand for itself and leave its value out.
  return [
    ...spans.map((span) => (/ --[a-z-]+$/.test(span) && commandFault(span) !== null ? `${span} VALUE` : span)),
    ...blocks.filter((line) => /(?:^|[|&;] )relais /.test(line)),
  ];
}

/** What is typed in a block of this language; of none where it is not for a shell. */
function typedIn(language: string, lines: readonly string[]): readonly string[] {
  const bare = lines.map((line) => line.trim().replace(/^\$ |^ExecStart=\/usr\/bin\/env /, ""));
  // What a program such as tmux is handed in quotes is typed as well.
  const handed = bare.flatMap((line) => matches(line, /'(relais [^']*)'/g));
  if (/^(?:sh|console|ini)$/.test(language)) return [...bare, ...handed];
  // What is printed has a command and what it does in two columns.
  return /^(?:text)?$/.test(language) ? bare.map((line) => line.split("  ", 1)[0] ?? "") : [];
}

/** A slot of a prompt is in capitals as well, and a beginning such as `BLOCKED_` is no code. */
function codesIn(text: string): readonly string[] {
  return matches(text.replaceAll(/\{\{[A-Z_]+\}\}/g, ""), /\b((?:STOP|BLOCKED)_[A-Z_]*[A-Z])\b/g);
}
