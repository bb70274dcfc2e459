/**
 * The settings of an INI file as Python reads it, where indented lines go on with the value above; of `.editorconfig`, and of
 * files of properties. Packages for INI take such a line for a key.
 */
import { LEAVES_MAX, type ReadSettings, type Setting } from "./settings-leaves.ts";

const SECTION = /^\[(?<section>[^\n]*)\][ \t]*(?:[#;][^\n]*)?$/u;
const PAIR = /^(?<key>[^=:]+?)[ \t]*[=:][ \t]*(?<value>[^]*)$/u;
const COMMENT = /[ \t][#;][ \t][^\n]*$/u;

interface Reading {
  readonly found: Setting[];
  section: readonly string[];
  /** To which a line that is indented belongs. */
  keys: readonly string[] | null;
}

export const readIni: ReadSettings = (text) => {
  const reading: Reading = { found: [], section: [], keys: null };
  for (const { index, 0: line } of text.matchAll(/^[^\n]*\S[^\n]*$/gmu)) {
    if (!/^\s*[#;!]/u.test(line)) readLine(reading, line, index);
    if (reading.found.length > LEAVES_MAX) return null;
  }
  return reading.found;
};

function readLine(reading: Reading, line: string, index: number): void {
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
