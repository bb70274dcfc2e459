/**
 * The text of a first configuration: one line for each choice, as long as it fits.
 *
 * It is what Prettier makes of it with its defaults, because many projects check the format of every file.
 */
import { isRecord } from "../../base/is-record.ts";

const COLUMNS = 80;
const STEP = "  ";

export function formatConfig(document: Readonly<Record<string, unknown>>): string {
  return `${spread(document, "")}\n`;
}

/** A whole line, or several: how it begins, its value, and the comma after it. */
function writeLine(begin: string, value: unknown, comma: string): string {
  const flat = `${begin}${flatten(value)}${comma}`;
  if (flat.length <= COLUMNS && !isTable(value)) return flat;
  return `${begin}${spread(value, /^ */.exec(begin)?.[0] ?? "")}${comma}`;
}

function flatten(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flatten).join(", ")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${flatten(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function spread(value: unknown, indent: string): string {
  if (Array.isArray(value)) {
    const lines = value.map((member): Line => [`${indent}${STEP}`, member]);
    return `[\n${joinLines(lines)}\n${indent}]`;
  }
  if (!isRecord(value)) return JSON.stringify(value);
  const lines = Object.entries(value).map(([name, member]): Line => [
    `${indent}${STEP}${JSON.stringify(name)}: `,
    member,
  ]);
  return `{\n${joinLines(lines)}\n${indent}}`;
}

type Line = readonly [begin: string, value: unknown];

function joinLines(lines: readonly Line[]): string {
  return lines.map(([begin, value], at) => writeLine(begin, value, at === lines.length - 1 ? "" : ",")).join("\n");
}

/** Several objects below each other; so is everything around them. */
function isTable(value: unknown): boolean {
  if (Array.isArray(value))
    return (
      value.some(isTable) ||
      (value.length > 1 && value.every((member) => isRecord(member) && Object.keys(member).length > 1))
    );
  return isRecord(value) && Object.values(value).some(isTable);
}
