import type { Manifest, Observation } from "../base/manifest.ts";
import { InvariantError } from "../base/invariant.ts";

/** What the paths of a partial observation are below it. */
export function requireBase({ base }: Observation): Manifest {
  if (base === undefined) throw new InvariantError("an observation of an overlay has no base");
  return base;
}

/** The worktrees of two partial observations, with the same paths in both; what only one of them knows is as below. */
export function completeSides(left: Observation, right: Observation): readonly [Observation, Observation] {
  const { git } = right;
  return [
    { ...left, git, worktree: complete(left, right) },
    { ...right, worktree: complete(right, left) },
  ];
}

function complete(partial: Observation, other: Observation): Manifest {
  const known = requireBase(partial);
  const added = [...requireBase(other)].filter(([path]) => !known.has(path) && !partial.worktree.has(path));
  return new Map([...partial.worktree, ...added]);
}
