/** Reads settings files in whatever they are written. A large parser is loaded only where such a file changed. */
import { LEAVES_DEPTH_MAX, LEAVES_MAX, type ReadSettings, type Setting } from "./settings-leaves.ts";
import { findLanguage, type Language } from "../../base/language.ts";
import { makeLiteralReader } from "./read-literals.ts";
import { findSettingsFormat, type SettingsFormat } from "./settings-files.ts";

/*
 * The settings of an INI file as Python reads it, where indented lines go on with the value above; of `.editorconfig`, and of
 * files of properties. Packages for INI take such a line for a key.
 */

const SECTION = /^\[(?<section>[^\n]*)\][ \t]*(?:[#;][^\n]*)?$/u;
const PAIR = /^(?<key>[^=:]+?)[ \t]*[=:][ \t]*(?<value>[^]*)$/u;
const COMMENT = /[ \t][#;][ \t][^\n]*$/u;

interface IniReading {
  readonly found: Setting[];
  section: readonly string[];
  /** To which a line that is indented belongs. */
  keys: readonly string[] | null;
}

export const readIni: ReadSettings = (text) => {
  const reading: IniReading = { found: [], section: [], keys: null };
  for (const { index, 0: line } of text.matchAll(/^[^\n]*\S[^\n]*$/gmu)) {
    if (!/^\s*[#;!]/u.test(line)) readLine(reading, line, index);
    if (reading.found.length > LEAVES_MAX) return null;
  }
  return reading.found;
};

function readLine(reading: IniReading, line: string, index: number): void {
  const words = line.trim();
  const at = index + line.search(/\S/u);
  const isContinued = reading.keys !== null && /^[ \t]/u.test(line);
  const name = isContinued ? undefined : SECTION.exec(words)?.groups?.["section"];
  if (name !== undefined) {
    [reading.section, reading.keys] = [[name], null];
    return;
  }
  const [key, value] = isContinued ? [null, stripComment(words)] : splitPair(words);
  reading.keys = key === null ? reading.keys : [...reading.section, key];
  reading.found.push({ keys: reading.keys ?? [], value: value === "" ? null : value, at });
}

function splitPair(words: string): readonly [key: string, value: string] {
  const { key = words, value = "" } = PAIR.exec(words)?.groups ?? {};
  return [key, stripComment(value)];
}

function stripComment(value: string): string {
  return value.replace(COMMENT, "").trim();
}

/*
 * The settings of an XML file: the text of an element and its attributes, with the elements around them. A `name` or an
 * `artifactId` belongs to the name of its element, because it says whose settings these are. No entity is expanded that
 * the file declares itself.
 */

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

interface XmlReading {
  readonly open: Element[];
  readonly found: Setting[];
}

export const readXml: ReadSettings = (text) => {
  const reading: XmlReading = { open: [], found: [] };
  for (const match of text.replace(/^\uFEFF/u, " ").matchAll(TOKEN)) {
    const isTooMuch = reading.open.length > LEAVES_DEPTH_MAX || reading.found.length > LEAVES_MAX;
    if (isTooMuch || !readToken(reading, match)) return null;
  }
  return reading.open.length === 0 ? reading.found : null;
};

/** False for what is no XML. */
function readToken(reading: XmlReading, { index: at, 0: token, groups = {} }: RegExpExecArray): boolean {
  const { tag, slash, attributes = "", empty, data, text = "" } = groups;
  if (tag === undefined) {
    addText(reading, data ?? decodeEntities(text), at);
    return token !== "<" && (!/^<[!?]/u.test(token) || token.endsWith(">"));
  }
  if (slash === "/") return closeElement(reading, tag);
  openElement(reading, tag, attributes, at);
  return empty !== "/" || closeElement(reading, tag);
}

function addText({ open }: XmlReading, text: string, at: number): void {
  const element = open.at(-1);
  if (element === undefined || text.trim() === "") return;
  if (element.text === "") element.textAt = at + text.search(/\S/u);
  element.text += text.trim();
}

function openElement({ open, found }: XmlReading, tag: string, attributes: string, at: number): void {
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

function closeElement({ open, found }: XmlReading, tag: string): boolean {
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

/** Null for a text that cannot be read. */
export type ReadSettingsFile = (path: string, text: string) => readonly Setting[] | null;

/** People write less, and all parsers are quick with it. */
const SETTINGS_CHARS_MAX = 256 * 1024;

type Readers = Readonly<Record<SettingsFormat, ReadSettings>>;

export async function loadSettingsReader(paths: readonly string[]): Promise<ReadSettingsFile> {
  const formats = new Set(paths.map(findSettingsFormat));
  const yaml = formats.has("yaml") || formats.has("rc") ? (await import("./read-yaml.ts")).readYaml : readNothing;
  const toml = formats.has("toml") ? (await import("./read-toml.ts")).readToml : readNothing;
  const json = makeLiteralReader("js", true);
  const readers: Readers = {
    json,
    yaml,
    toml,
    ini: readIni,
    xml: readXml,
    rc: (text) => (/^\s*(?:[{[]|\/[/*])/u.test(text) ? json(text) : yaml(text)),
    code: makeLiteralReader("js", false),
    lines: readLines,
  };
  return (path, text) => {
    if (text.length > SETTINGS_CHARS_MAX || text.includes("\0")) return null;
    const format = findSettingsFormat(path);
    return format === "code" ? readProgram(path, text) : readers[format](text);
  };
}

const readNothing: ReadSettings = () => null;

function readProgram(path: string, text: string): readonly Setting[] | null {
  const language: Language = findLanguage(path, text) ?? "shell";
  return makeLiteralReader(language === "settings" ? "shell" : language, false)(text);
}

/** An entry on each line. */
function readLines(text: string): readonly Setting[] {
  return [...text.matchAll(/^[^\n]*\S[^\n]*$/gmu)].flatMap(({ index, 0: line }) => {
    const value = line.trim().replace(/,$/u, "");
    return /^(?:#|\/\/|;|[{}[\]()]*$)/u.test(value) ? [] : [{ keys: [], value, at: index }];
  });
}
