/** What lies in the workspace: files that are kept in git, and files that relais writes anew and git must not see. */
import type { Config } from "../../contract/config/config.ts";

/** What relais writes while it works, as ignore rules of the workspace folder. */
const IGNORED = [
  "/STATE.json",
  "/TASK.json",
  "/REPORT.json",
  "/REPORT.md",
  "/BLOCKED.json",
  "/lock.json",
  "/ledger.jsonl",
  "/history/",
  "/goals/",
  "/campaigns/",
  "/.tmp/",
  "*.tmp",
] as const;

/** The content of the workspace's own `.gitignore`. */
export const WORKSPACE_IGNORE = `# Written by relais while it works; the rest of this folder belongs into git.\n${IGNORED.join("\n")}\n`;

/** Whether relais itself writes this path, from the root of the repository, while it works. */
export function isWrittenByRelais(
  path: string,
  { workspace_dir, runner, history }: Pick<Config, "workspace_dir" | "runner" | "history">,
): boolean {
  if (path === runner.lockfile || path.startsWith(`${history.dir}/`)) return true;
  const folder = `${workspace_dir}/`;
  if (!path.startsWith(folder)) return false;
  const name = `/${path.slice(folder.length)}`;
  return IGNORED.some((rule) => {
    if (rule.startsWith("*")) return name.endsWith(rule.slice(1));
    return rule.endsWith("/") ? name.startsWith(rule) : name === rule;
  });
}

/** One path for each ignore rule, relative to the workspace: git must ignore every one of them. */
export const IGNORED_SAMPLES: readonly string[] = IGNORED.map((rule) => {
  const name = rule.replace(/^\//, "");
  if (name.endsWith("/")) return `${name}any`;
  return name.replace("*", "any");
});
