/**
 * The provider that codex asks, where a person chose another one than its maker's.
 *
 * Such a provider needs no login with codex; it may need a variable with a key, which has to reach the session. Only the
 * few lines that say so are looked for. What is written in another way is not found, and nothing is claimed about it.
 */
import type { Environment } from "../../contract/values/environment.ts";
import { join } from "node:path";
import { readBounded } from "../../io/files/bounded-file.ts";
import { locateCodexHome } from "./codex-environment.ts";

export interface CodexProvider {
  readonly name: string;
  /** The variable that holds its key; null where none is named. */
  readonly variable: string | null;
}

const SETTINGS_BYTES_MAX = 4 * 1024 * 1024;
const PROVIDER = /^[ \t]*model_provider[ \t]*=[ \t]*["']?(?<name>[\w.-]{1,80})["']?/mu;
const KEY = /^[ \t]*env_key[ \t]*=[ \t]*["'](?<name>\w{1,80})["']/mu;
const TABLE = /^[ \t]*\[/mu;
const MAKER = "openai";

interface ProviderRequest {
  /** The further arguments of the configuration, which win over the person's own settings. */
  readonly args: readonly string[];
  readonly environment: Environment;
}

/** Null where codex asks its maker, or where the settings do not say. */
export async function findCodexProvider({ args, environment }: ProviderRequest): Promise<CodexProvider | null> {
  const settings = await readSettings(locateCodexHome(environment));
  const name = findName(args.join("\n")) ?? findName(cutTables(settings));
  if (name === undefined || name === MAKER) return null;
  return { name, variable: KEY.exec(findTable(name, settings))?.groups?.["name"] ?? null };
}

async function readSettings(folder: string | null): Promise<string> {
  if (folder === null) return "";
  const read = await readBounded(join(folder, "config.toml"), SETTINGS_BYTES_MAX);
  return read.kind === "read" ? read.data.toString("utf8") : "";
}

const findName = (text: string): string | undefined => PROVIDER.exec(text)?.groups?.["name"];
const cutTables = (text: string): string => text.split(TABLE, 1)[0] ?? "";

/** The lines below the heading of a provider, up to the next heading. */
function findTable(name: string, settings: string): string {
  const heading = [name, `"${name}"`, `'${name}'`].map((one) => `model_providers.${one}]`);
  const tables = settings.split(TABLE).slice(1);
  const table = tables.find((one) => heading.some((text) => one.startsWith(text))) ?? "";
  return table.slice(table.indexOf("]") + 1);
}
