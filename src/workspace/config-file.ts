import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Config, CONFIG_NAME, makeDefaultConfig } from "../config/config.ts";
import { parseConfig } from "../config/parse-config.ts";
import { findConfigProblems } from "../checks/pure/config-problems.ts";
import { parseDocument } from "../base/strict-json.ts";
import { readBounded } from "../system/bounded-file.ts";

const CONFIG_BYTES_MAX = 1024 * 1024;

export type ConfigText =
  | { readonly kind: "config"; readonly config: Config; readonly text: string }
  /** Each problem names the key. */
  | {
      readonly kind: "unusable";
      readonly cause: "config_unreadable" | "config_not_json" | "config_invalid";
      readonly message: string;
      readonly problems: readonly string[];
    };

export type ConfigFile = ConfigText | { readonly kind: "missing" };

export async function readConfigFile(root: string): Promise<ConfigFile> {
  const read = await readBounded(join(root, CONFIG_NAME), CONFIG_BYTES_MAX);
  if (read.kind === "missing") return read;
  if (read.kind === "refused")
    return refuseConfig("config_unreadable", `${CONFIG_NAME} cannot be used: ${read.reason}.`);
  return parseConfigText(read.data);
}

/** A command reads the same few texts again and again, with and without its choices. */
const parsedTexts = new Map<string, ConfigText>();
const PARSED_TEXTS_MAX = 8;

/** `name` is the file in messages. */
export function parseConfigText(data: Buffer, name: string = CONFIG_NAME): ConfigText {
  const key = `${name}\0${data.toString("latin1")}`;
  const parsed = parsedTexts.get(key) ?? parseAnew(data, name);
  if (parsedTexts.size >= PARSED_TEXTS_MAX) parsedTexts.clear();
  parsedTexts.set(key, parsed);
  return parsed;
}

function parseAnew(data: Buffer, name: string): ConfigText {
  const document = parseDocument(data);
  if (document.kind === "broken") return refuseConfig("config_not_json", `${name} ${document.problem}.`);
  const parsed = parseConfig(document.value);
  const problems =
    parsed.kind === "valid" ? findConfigProblems(parsed.value) : parsed.problems.map(({ message }) => message);
  if (parsed.kind === "valid" && problems.length === 0)
    return { kind: "config", config: parsed.value, text: data.toString("utf8") };
  return refuseConfig("config_invalid", `${name} is not valid.`, problems);
}

/** The configuration with this hash: a builder may have forged some of the files. The defaults if it is lost. */
export async function readRecordedConfig(paths: readonly string[], sha256: string | null): Promise<ConfigText> {
  const found = await findRecordedConfig(paths, sha256);
  return found ?? { kind: "config", config: makeDefaultConfig(), text: "{}" };
}

/** Null if it is lost. */
export async function findRecordedConfig(paths: readonly string[], sha256: string | null): Promise<ConfigText | null> {
  for (const path of paths) {
    const read = await readBounded(path, CONFIG_BYTES_MAX);
    if (read.kind !== "read") continue;
    const found = createHash("sha256").update(read.data).digest("hex");
    if (sha256 === null || found === sha256) return parseConfigText(read.data);
  }
  return null;
}

type UnusableConfig = Extract<ConfigText, { kind: "unusable" }>;

function refuseConfig(
  cause: UnusableConfig["cause"],
  message: string,
  problems: readonly string[] = [],
): UnusableConfig {
  return { kind: "unusable", cause, message, problems };
}
