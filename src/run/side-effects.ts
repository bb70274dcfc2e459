import { checkSideEffects } from "../core/check-side-effects.ts";
import { bytePath } from "../io/byte-path.ts";
import type { Candidate } from "./in-place.ts";
import { ownGitPrefix } from "./own-git-prefix.ts";
import { isSameIndex } from "./same-index.ts";
import type { TickContext } from "./tick-context.ts";

/** What became different since the candidate was observed, sorted into what may and what may not be. */
export async function sideEffects(
  { place, store, repository, config }: Pick<TickContext, "place" | "store" | "repository" | "config">,
  candidate: Candidate,
): Promise<ReturnType<typeof checkSideEffects>> {
  const changed = await place.changedSince(candidate);
  if (changed.length === 0) return { findings: [], tolerated: [] };
  const { evidence: now, observation } = await place.collect(candidate.evidence.rules);
  const before = candidate.observation.git;
  return checkSideEffects({
    changed,
    judged: candidate.evidence,
    now,
    scratchGlobs: config.verification.scratch_globs,
    git: {
      ownPrefix: ownGitPrefix(repository),
      isNew: (path) => !before.has(bytePath(path)),
      isSameIndex: await isSameIndex({ repository, store, before, after: observation.git }),
    },
  });
}
