import { join } from "node:path";

/** Where codex finds its settings and its login, besides what every session is given. */
export const CODEX_VARIABLES = ["CODEX_HOME", "CODEX_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"];

export function locateCodexHome({
  CODEX_HOME: folder,
  HOME: home,
}: Readonly<Record<string, string | undefined>>): string | null {
  if (folder !== undefined && folder !== "") return folder;
  return home === undefined ? null : join(home, ".codex");
}
