import { type Config, CONFIG_NAME } from "./config.ts";

/** Ignore rules for the files that relais writes. */
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

export const WORKSPACE_IGNORE = `# Written by relais while it works; the rest of this folder belongs into git.\n${IGNORED.join("\n")}\n`;

/** For a workspace that nobody committed: git sees nothing of it, this file included. */
export const SELF_IGNORE = "# Made by relais. Git ignores this folder; `relais init --full` sets it up for git.\n*\n";

const DOCUMENTS = ["GOAL.md", "FACTS.md"];

/** Whether an entry of the workspace folder is one of relais, or a document that a person writes for it. */
export function isWorkspaceName(name: string): boolean {
  const isOwn = IGNORED.some((rule) => rule === `/${name}` || rule === `/${name}/`);
  return isOwn || DOCUMENTS.includes(name) || name.endsWith(".tmp");
}

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

/** Files that every recovery writes anew or removes, so that their earlier content does not matter. */
const REWRITTEN = /^(?:(?:STATE|TASK|REPORT|BLOCKED|lock)\.json|REPORT\.md|ledger\.jsonl|\.tmp(?:\/.*)?)$/s;

export function isRewrittenByRelais(path: string, { workspace_dir }: Pick<Config, "workspace_dir">): boolean {
  return path.startsWith(`${workspace_dir}/`) && REWRITTEN.test(path.slice(workspace_dir.length + 1));
}

/** Whether a path is the configuration or a file of the workspace that belongs into git. */
export function isOwnFile(path: string, config: Pick<Config, "workspace_dir" | "runner" | "history">): boolean {
  if (path === CONFIG_NAME) return true;
  return path.startsWith(`${config.workspace_dir}/`) && !isWrittenByRelais(path, config);
}

/** One path for each rule, relative to the workspace: git must ignore all of them. */
export const IGNORED_SAMPLES: readonly string[] = IGNORED.map((rule) => {
  const name = rule.replace(/^\//, "");
  if (name.endsWith("/")) return `${name}any`;
  return name.replace("*", "any");
});
