/** The settings of a TOML file. The parser knows no places, so these are looked up in the text afterwards. */
import { parse } from "smol-toml";
import { LEAVES_MAX, type ReadSettings, type Setting } from "./settings-leaves.ts";

type Leaf = Omit<Setting, "at">;

export const readToml: ReadSettings = (text) => {
  try {
    const leaves: Leaf[] = [];
    listLeaves(parse(text, { integersAsBigInt: "asNeeded" }), [], leaves);
    return leaves.length > LEAVES_MAX ? null : placeLeaves(leaves, text);
  } catch {
    return null;
  }
};

function listLeaves(value: unknown, keys: readonly string[], leaves: Leaf[]): void {
  if (Array.isArray(value) && value.length > 0) {
    for (const one of value) listLeaves(one, keys, leaves);
  } else if (isTable(value) && Object.keys(value).length > 0) {
    for (const [key, one] of Object.entries(value)) listLeaves(one, [...keys, key], leaves);
  } else leaves.push({ keys, value: readLeaf(value) });
}

function isTable(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !("toISOString" in value);
}

function readLeaf(value: unknown): Setting["value"] {
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return null;
}

const HEADER = /^[ \t]*\[{1,2}(?<name>[^\]\n]+)\]{1,2}/u;
const PAIR = /^[ \t]*(?<name>(?:[\w-]+|"[^"\n]*"|'[^'\n]*'|[ \t]*\.[ \t]*)+?)[ \t]*=/u;
/** How far behind its key a value is looked for. */
const NEAR_CHARS = 10_000;

/** The same table can come several times: its keys are found in their order. */
function placeLeaves(leaves: readonly Leaf[], text: string): readonly Setting[] {
  const places = indexKeys(text);
  const last = new Map<string, number>();
  return leaves.map(({ keys, value }) => {
    const name = findKnown(keys, places);
    const own = places.get(name) ?? [0];
    const from = last.get(name) ?? own[0] ?? 0;
    const at = findWritten(value, text, from);
    const next = own.find((place) => place > at);
    last.set(name, typeof value === "boolean" && next !== undefined ? next : at);
    return { keys, value, at };
  });
}

function findWritten(value: Leaf["value"], text: string, from: number): number {
  if (value === null) return from;
  const written = String(value)
    .split("\n")
    .find((line) => line !== "");
  const found = text.slice(from, from + NEAR_CHARS).indexOf(written ?? "");
  return found === -1 ? from : from + found;
}

function indexKeys(text: string): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  let section: readonly string[] = [];
  for (const { index, 0: line } of text.matchAll(/^[^\n]+$/gmu)) {
    const header = HEADER.exec(line)?.groups?.["name"];
    const key = header === undefined ? PAIR.exec(line)?.groups?.["name"] : undefined;
    if (header !== undefined) section = splitName(header);
    if (key === undefined) continue;
    const name = [...section, ...splitName(key)].join("\0");
    const own = places.get(name);
    if (own === undefined) places.set(name, [index]);
    else own.push(index);
  }
  return places;
}

function splitName(name: string): readonly string[] {
  return (name.match(/"[^"]*"|'[^']*'|[\w-]+/gu) ?? []).map((part) => part.replaceAll(/^["']|["']$/gu, ""));
}

/** The longest beginning of the keys that has a line of its own. */
function findKnown(keys: readonly string[], places: ReadonlyMap<string, unknown>): string {
  for (let length = keys.length; length > 0; length -= 1) {
    const name = keys.slice(0, length).join("\0");
    if (places.has(name)) return name;
  }
  return "";
}
