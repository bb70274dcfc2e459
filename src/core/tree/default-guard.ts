import type { CheckTemplate } from "../checks/check-sources.ts";

/** What a project may call the check that has to be green before work counts, the most complete first. */
const NAMES = ["ci", "test", "check"];

/** The guard that a project has, as a command; null where none of its checks is one. */
export function findDefaultGuard(
  templates: readonly (CheckTemplate & { readonly params?: object })[],
): readonly string[] | null {
  const plain = templates.filter(({ params = {} }) => Object.keys(params).length === 0);
  const found = NAMES.flatMap((name) => plain.find(({ id }) => id === name) ?? []).at(0);
  return found === undefined ? null : [found.cmd, ...found.args];
}
