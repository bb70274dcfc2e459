/**
 * The settings of an XML file: the text of an element and its attributes, with the elements around them. A `name` or an
 * `artifactId` belongs to the name of its element, because it says whose settings these are. No entity is expanded that
 * the file declares itself.
 */
import { LEAVES_DEPTH_MAX, LEAVES_MAX, type ReadSettings, type Setting } from "./settings-leaves.ts";

const TOKEN =
  /<!--[^]*?(?:-->|$)|<!\[CDATA\[(?<data>[^]*?)(?:\]\]>|$)|<\?[^]*?(?:\?>|$)|<!DOCTYPE[^<>[]*(?:\[[^\]]*\])?[^<>]*>|<(?<slash>\/?)(?<tag>[\w:.-]+)(?<attributes>(?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(?<empty>\/?)>|(?<text>[^<]+)|</gu;
const ATTRIBUTE = /(?<key>[\w:.-]+)\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)')/gu;
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

interface Element {
  readonly tag: string;
  readonly at: number;
  name: string;
  text: string;
  textAt: number;
  hasChildren: boolean;
}

interface Reading {
  readonly open: Element[];
  readonly found: Setting[];
}

export const readXml: ReadSettings = (text) => {
  const reading: Reading = { open: [], found: [] };
  for (const match of text.replace(/^\uFEFF/u, " ").matchAll(TOKEN)) {
    const isTooMuch = reading.open.length > LEAVES_DEPTH_MAX || reading.found.length > LEAVES_MAX;
    if (isTooMuch || !readToken(reading, match)) return null;
  }
  return reading.open.length === 0 ? reading.found : null;
};

/** False for what is no XML. */
function readToken(reading: Reading, { index: at, 0: token, groups = {} }: RegExpExecArray): boolean {
  const { tag, slash, attributes = "", empty, data, text = "" } = groups;
  if (tag === undefined) {
    addText(reading, data ?? decodeEntities(text), at);
    return token !== "<" && (!/^<[!?]/u.test(token) || token.endsWith(">"));
  }
  if (slash === "/") return closeElement(reading, tag);
  openElement(reading, { tag, attributes, at });
  return empty !== "/" || closeElement(reading, tag);
}

function addText({ open }: Reading, text: string, at: number): void {
  const element = open.at(-1);
  if (element === undefined || text.trim() === "") return;
  if (element.text === "") element.textAt = at + text.search(/\S/u);
  element.text += text.trim();
}

interface OpenTag {
  readonly tag: string;
  readonly attributes: string;
  readonly at: number;
}

function openElement({ open, found }: Reading, { tag, attributes, at }: OpenTag): void {
  const parent = open.at(-1);
  if (parent !== undefined) parent.hasChildren = true;
  const pairs = new Map(
    [...attributes.matchAll(ATTRIBUTE)].map(({ groups }) => [
      groups?.["key"] ?? "",
      decodeEntities(groups?.["double"] ?? groups?.["single"] ?? ""),
    ]),
  );
  const outer = open.map((element) => element.name);
  const [own, value] = [pairs.get("name"), pairs.get("value")];
  // A property says its key and its value in two attributes.
  if (own !== undefined && value !== undefined) found.push({ keys: [...outer, own], value, at });
  const name = own === undefined || value !== undefined ? tag : `${tag} ${own}`;
  for (const [key, text] of pairs)
    if (key !== "name" && key !== "value") found.push({ keys: [...outer, name, key], value: text, at });
  open.push({ tag, at, name, text: "", textAt: at, hasChildren: pairs.size > 0 });
}

function closeElement({ open, found }: Reading, tag: string): boolean {
  const element = open.pop();
  if (element?.tag !== tag) return false;
  const parent = open.at(-1);
  if (tag === "artifactId" && parent !== undefined) parent.name = `${parent.tag} ${element.text}`;
  const keys = [...open.map(({ name }) => name), element.name];
  if (element.text !== "") found.push({ keys, value: element.text, at: element.textAt });
  else if (!element.hasChildren) found.push({ keys, value: null, at: element.at });
  return true;
}

function decodeEntities(text: string): string {
  return text.replaceAll(/&(?<name>lt|gt|amp|quot|apos);/gu, (_, name: string) => ENTITIES[name] ?? "");
}
