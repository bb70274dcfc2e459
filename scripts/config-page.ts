/**
 * docs/configuration.md: prose that people write, and tables that are made from the schema.
 *
 * A table stands between `<!-- keys: NAMES -->` and `<!-- /keys -->`. A name takes in everything below it; `<role>` in it
 * stands for sections that are all alike, which are told once. Every key has its row on the page exactly once.
 */
import { InvariantError } from "../src/base/errors.ts";
import { type ConfigKey, configKeys } from "./config-keys.ts";

/** Longer lists are told below their table. */
const SHORT_LIST = 3;
const BLOCK = /(<!-- keys: (.+?) -->\n)[^]*?(<!-- \/keys -->)/g;

/** The page with its tables made anew; a key without a place on it is an error, and so is a place without a key. */
export function configPage(page: string, schema: unknown): string {
  const keys = configKeys(schema);
  const told = new Map<string, number>();
  const made = page.replaceAll(BLOCK, (...match: readonly string[]) => {
    const [, opening = "", names = "", closing = ""] = match;
    const rows = names.split(" ").flatMap((name) => selected(name, keys, told));
    return `${opening}\n${table(rows)}\n${closing}`;
  });
  const wrong = keys.filter(({ name }) => told.get(name) !== 1).map(({ name }) => name);
  if (wrong.length > 0) throw new InvariantError(`not told exactly once: ${wrong.join(", ")}`);
  return made;
}

function selected(selector: string, keys: readonly ConfigKey[], told: Map<string, number>) {
  const parts = selector.split(".");
  const wild = parts.findIndex(isWild);
  const found = keys.filter(({ name }) => isBelow(name.replaceAll("[]", ".[]").split("."), parts));
  if (found.length === 0) throw new InvariantError(`there is no key ${selector}`);
  for (const { name } of found) told.set(name, (told.get(name) ?? 0) + 1);
  if (wild < 0) return found;
  const rows = new Map<string, string>();
  return found.flatMap((key) => {
    const name = key.name
      .split(".")
      .with(wild, parts[wild] ?? "")
      .join(".");
    const row = { ...key, name };
    const before = rows.get(name);
    rows.set(name, JSON.stringify(row));
    if (before !== undefined && before !== JSON.stringify(row))
      throw new InvariantError(`${key.name} is not like its siblings`);
    return before === undefined ? [row] : [];
  });
}

const isWild = (part: string) => part.startsWith("<");

function isBelow(name: readonly string[], selector: readonly string[]): boolean {
  return selector.every((part, index) => isWild(part) || part === name[index]);
}

function table(keys: readonly ConfigKey[]): string {
  const rows = keys.map(({ name, takes, fallback, meaning }) =>
    [code(name), takes, shown(fallback), meaning ?? ""].map((cell) => cell.replaceAll("|", String.raw`\|`)),
  );
  const long = keys
    .map(({ name, fallback }) => (isLong(fallback) ? `The default of \`${name}\`: ${listed(fallback)}.\n` : ""))
    .filter((line) => line !== "");
  return [
    "| key | takes | default | meaning |",
    "| --- | --- | --- | --- |",
    ...rows.map((cells) => `| ${cells.join(" | ")} |`),
    "",
    ...long,
  ].join("\n");
}

const isLong = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && (value.length > SHORT_LIST || value.some((item) => typeof item === "object"));

/** Code that holds a backtick needs a longer fence than one. */
function code(value: unknown): string {
  const text = typeof value === "string" && value !== "" ? value : JSON.stringify(value);
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

const listed = (value: readonly unknown[]) => value.map(code).join(", ");

function shown(fallback: unknown): string {
  if (fallback === undefined) return "none";
  if (isLong(fallback)) return `${fallback.length}, below`;
  return Array.isArray(fallback) && fallback.length > 0 ? listed(fallback) : code(fallback);
}
