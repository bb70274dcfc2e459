/** What a rollback cannot restore, because its content is lost. */
import { join } from "node:path";
import { copyManifest, type Manifest } from "../../contract/evidence/manifest.ts";
import type { RestorationPlan } from "../../core/observation/restoration-plan.ts";
import type { ContentStore } from "../../io/content/content-store.ts";
import { listLostContent, takeOverContent } from "../../io/content/lost-content.ts";
import type { Repository } from "../../io/git/repository-layout.ts";

/** Content that the store and the repository's own objects have lost is not restored, and the comparison names it. */
export async function listLost(
  { repository, store }: { readonly repository: Repository; readonly store: ContentStore },
  plans: readonly RestorationPlan[],
): Promise<ReadonlySet<string>> {
  const wanted = plans.flatMap(({ write }) => write.flatMap(({ entry: { id } }) => (id === null ? [] : [id])));
  const ids = await listLostContent(store, wanted);
  if (ids.size === 0) return ids;
  await takeOverContent(store, { ids, objects: join(repository.commonDir, "objects") });
  return listLostContent(store, [...ids]);
}

export const listLostPaths = ({ write }: RestorationPlan, lost: ReadonlySet<string>): readonly string[] =>
  write.flatMap(({ path, entry: { id } }) => (id !== null && lost.has(id) ? [path] : []));

/**
 * Before the first session nothing waits for the disk, so a power cut may take relais' own documents with their stored
 * content. Nobody needs them: the journal has what they say.
 */
export function without(manifest: Manifest, paths: ReadonlySet<string>): Manifest {
  if (paths.size === 0) return manifest;
  const rest = copyManifest(manifest);
  for (const path of paths) rest.delete(path);
  return rest;
}

export function dropLost(plan: RestorationPlan, lost: ReadonlySet<string>): RestorationPlan {
  if (lost.size === 0) return plan;
  const gone = new Set(listLostPaths(plan, lost));
  const isThere = ({ path }: { readonly path: string }): boolean => !gone.has(path);
  return { ...plan, write: plan.write.filter(isThere), settle: plan.settle.filter(isThere) };
}
