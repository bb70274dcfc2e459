import type { Observation } from "../../base/manifest.ts";

/** The contents that an observation names. */
export function listContentIds({ worktree, git }: Observation): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const manifest of [worktree, git]) for (const { id } of manifest.values()) if (id !== null) ids.add(id);
  return ids;
}
