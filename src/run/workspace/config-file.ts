import { join } from "node:path";
import type { Config } from "../../contract/config/config.ts";
import { parseConfig } from "../../contract/config/parse-config.ts";
import { configProblems } from "../../core/setup/config-problems.ts";
import { parseDocument } from "../../core/documents/parse-document.ts";
import { readBounded } from "../../io/files/bounded-file.ts";

/** Where the configuration lies, from the root of the repository. */
export const CONFIG_NAME = "relais.config.json";
const CONFIG_BYTES_MAX = 1024 * 1024;

export type ConfigFile =
  | { readonly kind: "config"; readonly config: Config; readonly text: string }
  | { readonly kind: "missing" }
  /** A person has to mend it; each problem names the key. */
  | { readonly kind: "unusable"; readonly message: string; readonly problems: readonly string[] };

/** Reads the configuration of a working tree as it lies on the disk. */
export async function readConfigFile(root: string): Promise<ConfigFile> {
  const read = await readBounded(join(root, CONFIG_NAME), CONFIG_BYTES_MAX);
  if (read.kind === "missing") return read;
  if (read.kind === "refused") return unusable(`cannot be used: ${read.reason}`);
  const document = parseDocument(read.data);
  if (document.kind === "broken") return unusable(document.problem);
  const text = read.data.toString("utf8");
  const parsed = parseConfig(document.value);
  const problems =
    parsed.kind === "valid" ? configProblems(parsed.value) : parsed.problems.map(({ message }) => message);
  if (parsed.kind === "valid" && problems.length === 0) return { kind: "config", config: parsed.value, text };
  return unusable("is not valid", problems);
}

function unusable(what: string, problems: readonly string[] = []): ConfigFile {
  return { kind: "unusable", message: `${CONFIG_NAME} ${what}.`, problems };
}
