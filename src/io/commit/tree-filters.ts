import { lstatSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { FilterSettings } from "../git/filter-settings.ts";
import { withSetting } from "../git/filter-view.ts";

/**
 * The same variables without the filters whose commands name something in the working tree: there they would run as the
 * change has them. What they convert counts as modified for git until somebody else looks at it with the filter on.
 */
export function withoutTreeFilters(env: FilterSettings["env"], root: string): FilterSettings["env"] {
  return treeFilters(env, root).reduce(
    (rest, name) =>
      withSetting(
        withSetting(withSetting(rest, `${name}.clean`, ""), `${name}.process`, ""),
        `${name}.required`,
        "false",
      ),
    env,
  );
}

function treeFilters(env: FilterSettings["env"], root: string): readonly string[] {
  const names = new Set<string>();
  for (const [variable, key] of Object.entries(env)) {
    if (!variable.startsWith("GIT_CONFIG_KEY_")) continue;
    const name = /^(?<name>filter\..+)\.(?:clean|process)$/s.exec(key ?? "")?.groups?.["name"];
    const command = env[variable.replace("KEY", "VALUE")] ?? "";
    if (name !== undefined && command.split(/[\s"';|&<>()=]+/).some((word) => isOfTree(root, word))) names.add(name);
  }
  return [...names];
}

function isOfTree(root: string, word: string): boolean {
  if (word === "") return false;
  const path = isAbsolute(word) ? join(word) : join(root, word);
  return path.startsWith(`${root}/`) && lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
