/** The settings of a YAML file. An alias is followed, as often as the bound on leaves allows. */
import { isAlias, isCollection, isNode, isPair, isScalar, parseAllDocuments, type Node } from "yaml";
import { LEAVES_DEPTH_MAX, LEAVES_MAX, type ReadSettings, type Setting } from "./settings-leaves.ts";

interface Reading {
  readonly found: Setting[];
  /** A node comes before its aliases. */
  readonly anchors: Map<string, Node>;
}

export const readYaml: ReadSettings = (text) => {
  try {
    const reading: Reading = { found: [], anchors: new Map() };
    // A tab is no indentation in YAML, but it is in NEON.
    const spaced = text.replaceAll(/^\t+/gmu, (tabs) => " ".repeat(tabs.length));
    for (const { errors, contents } of parseAllDocuments(spaced, { uniqueKeys: false, strict: false })) {
      if (errors.length > 0 || !addNode(reading, contents, { keys: [], depth: 0, at: null })) return null;
    }
    return reading.found;
  } catch {
    return null;
  }
};

interface Place {
  readonly keys: readonly string[];
  readonly depth: number;
  /** Of an alias; otherwise the node says it. */
  readonly at: number | null;
}

/** False if there is too much of it. */
function addNode(reading: Reading, node: unknown, place: Place): boolean {
  const { found, anchors } = reading;
  if (place.depth > LEAVES_DEPTH_MAX || found.length > LEAVES_MAX) return false;
  const inner = { ...place, depth: place.depth + 1 };
  if (isAlias(node)) return addNode(reading, anchors.get(node.source), { ...inner, at: place.at ?? readStart(node) });
  if (isNode(node) && node.anchor !== undefined) anchors.set(node.anchor, node);
  if (isCollection(node) && node.items.length > 0) {
    return node.items.every((item) =>
      isPair(item)
        ? addNode(reading, item.value, enterKey(inner, item.key, item.value))
        : addNode(reading, item, inner),
    );
  }
  found.push({ keys: place.keys, value: readLeaf(node), at: place.at ?? readStart(node) });
  return true;
}

/** What is merged stands here itself. */
function enterKey(place: Place, key: unknown, value: unknown): Place {
  const name = isScalar(key) ? String(key.value) : "";
  const keys = name === "<<" ? place.keys : [...place.keys, name];
  return { ...place, keys, at: value === null ? (place.at ?? readStart(key)) : place.at };
}

function readStart(key: unknown): number {
  return isNode(key) ? (key.range?.[0] ?? 0) : 0;
}

function readLeaf(node: unknown): Setting["value"] {
  const value: unknown = isScalar(node) ? node.value : null;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return null;
}
