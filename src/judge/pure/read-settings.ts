/** Reads settings files in whatever they are written. A large parser is loaded only where such a file changed. */
import { type Language, findLanguage } from "../../base/language.ts";
import { readIni } from "./read-ini.ts";
import { makeLiteralReader } from "./read-literals.ts";
import { readXml } from "./read-xml.ts";
import { findSettingsFormat, type SettingsFormat } from "./settings-files.ts";
import type { ReadSettings, Setting } from "./settings-leaves.ts";

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
