import { dirname, join } from "node:path";
import type { Manifest, Observation } from "../base/manifest.ts";
import { describeError } from "../base/describe-error.ts";
import { compareManifests } from "./pure/compare-manifests.ts";
import { writeUnkeptNote } from "./pure/unkept-notes.ts";
import { type ContentStore, identifyFiles } from "../store/content-store.ts";
import { listLostContent } from "../store/lost-content.ts";
import { RESCUED_BYTES_MAX, rescueFiles } from "../store/rescue.ts";
import { toBytePath } from "../system/byte-path.ts";
import type { Repository } from "../git/repository-layout.ts";
import { readClockMs } from "../system/clock.ts";
import { createRunId } from "../journal/run-directory.ts";

interface Edits {
  readonly repository: Repository;
  readonly store: ContentStore;
  readonly before: Observation;
}

/**
 * Copies edited files that a rollback is about to revert and that nothing has kept yet. Salvage keeps what it has seen; a
 * person may save a file a moment later, or while a check runs in the worktree. Files that are new are left out: they are
 * mostly what tools leave behind.
 */
export async function rescueEdits(
  edits: Edits,
  now: Manifest,
  lookAgain: () => Promise<Manifest>,
): Promise<readonly string[]> {
  try {
    // Once more: a person may save a file in the moment in which it is read.
    await copyEdits(edits, now).catch(async () => copyEdits(edits, await lookAgain()));
    return [];
  } catch (error) {
    return [writeUnkeptNote("edited files", describeError(error))];
  }
}

async function copyEdits({ repository, store, before }: Edits, now: Manifest): Promise<void> {
  const folder = toBytePath(repository.root);
  const edited = compareManifests(before.worktree, now).flatMap(({ path, before: was, after: entry }) =>
    was?.type === "file" && entry?.type === "file" && was.id !== entry.id && entry.size <= RESCUED_BYTES_MAX
      ? [{ folder, path, entry, knownId: "" }]
      : [],
  );
  if (edited.length === 0) return;
  const ids = identifyFiles(edited, true).map(({ id }) => id ?? "");
  const unkept = await listLostContent(store, ids);
  const files = edited.flatMap(({ path, entry: { size } }, at) => (unkept.has(ids[at] ?? "") ? [{ path, size }] : []));
  const target = join(dirname(store.gitDir), "rescued", "files", createRunId(readClockMs()));
  if (files.length > 0) rescueFiles({ folder: repository.root, target, files });
}
