import { join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { readBounded } from "../system/bounded-file.ts";

const SETTINGS_BYTES_MAX = 4 * 1024 * 1024;
/** The model, by key and by subscription, and where a login is renewed. */
const HOSTS = ["api.openai.com", "chatgpt.com", "auth.openai.com"];
const BASE_URL = /\bbase_url["']?[ \t]*=[ \t]*["']?(?<url>https?:\/\/[^\s"']{1,300})/gu;

/** The hosts that codex needs: its maker's, and those of other addresses in the variables, settings and arguments. */
export async function listCodexHosts(args: readonly string[], environment: Environment): Promise<readonly string[]> {
  const settings = `${await readCodexSettings(environment)}\n${args.join("\n")}`;
  const addresses = [...settings.matchAll(BASE_URL)].flatMap(({ groups }) => groups?.["url"] ?? []);
  return [...HOSTS, ...addresses, ...(environment["OPENAI_BASE_URL"] ? [environment["OPENAI_BASE_URL"]] : [])];
}

/** A person's own settings of codex; empty where there are none. */
export async function readCodexSettings({ CODEX_HOME: named = "", HOME: home }: Environment): Promise<string> {
  const folder = named === "" && home !== undefined ? join(home, ".codex") : named;
  if (folder === "") return "";
  const read = await readBounded(join(folder, "config.toml"), SETTINGS_BYTES_MAX);
  return read.kind === "read" ? read.data.toString("utf8") : "";
}
