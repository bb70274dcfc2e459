import { checkSideEffects } from "../judge/pure/check-side-effects.ts";
import { toBytePath } from "../system/byte-path.ts";
import { findOwnGitPrefix } from "../evidence/pure/own-git-prefix.ts";
import { isSameIndex } from "../evidence/same-index.ts";
import type { Candidate } from "../place/workplace.ts";
import type { CheckContext } from "./run-check.ts";

/** What changed since the candidate was observed, split into findings and tolerated paths. */
export async function listSideEffects(
  { place, store, config }: Pick<CheckContext, "place" | "store" | "config">,
  candidate: Candidate & { readonly isStill?: boolean },
): Promise<ReturnType<typeof checkSideEffects>> {
  const changed = await place.changedSince(candidate);
  if (changed.length === 0) return { findings: [], tolerated: [] };
  const { evidence: now, observation } = await place.collect(candidate.evidence.rules);
  const before = candidate.observation.git;
  const { repository } = place;
  return checkSideEffects({
    changed,
    judged: candidate.evidence,
    now,
    scratchGlobs: config.verification.scratch_globs,
    isStill: candidate.isStill ?? false,
    git: {
      ownPrefix: findOwnGitPrefix(repository),
      isNew: (path) => !before.has(toBytePath(path)),
      isSameIndex: await isSameIndex({ repository, store, before, after: observation.git }),
    },
  });
}
