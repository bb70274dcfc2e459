/**
 * The user's repository while a program works in a copy of it. Without a sandbox the program can find the original, and
 * no evidence of the copy shows what it writes there.
 */
import type { Manifest } from "../base/manifest.ts";
import { compareManifests } from "../evidence/pure/compare-manifests.ts";
import { decodePath } from "../base/path-text.ts";
import type { ContentStore } from "../store/content-store.ts";
import { joinBytes, toBytePath } from "../system/byte-path.ts";
import { readNames } from "../system/read-names.ts";
import type { Repository } from "../git/repository-layout.ts";
import { findEntryAt } from "../system/walk.ts";
import { observeWorktree } from "../evidence/observe.ts";

/** The files of git's own data that make later commands start programs. A person's commits leave them alone. */
const STEERING_FILES = ["config", "config.worktree"];
const STEERING_FOLDERS = ["hooks", "info"];

/** By path, with the time of the last change. */
export type SteeringStamps = ReadonlyMap<string, string>;

export function stampSteering({ commonDir }: Repository): SteeringStamps {
  const folder = toBytePath(commonDir);
  const listed = STEERING_FOLDERS.flatMap((name) =>
    [...(readNames(joinBytes(folder, name)) ?? [])].map((file) => `${name}/${file}`),
  );
  return new Map([...STEERING_FILES, ...listed].map((path) => [path, findEntryAt(folder, path)?.stamp ?? ""]));
}

interface Original {
  readonly repository: Repository;
  readonly store: ContentStore;
  /** When the copy was made. */
  readonly takenAt: number;
  readonly worktree: Manifest;
  readonly steering: SteeringStamps;
}

export async function listOriginalEdits(original: Original): Promise<readonly string[]> {
  const { repository, store, takenAt, worktree, steering } = original;
  const earlier = { takenAt, worktree, git: new Map() };
  const now = await observeWorktree({ repository, store, earlier, afterBuild: false, isComparison: true });
  const files = compareManifests(worktree, now.worktree)
    .filter(({ before, after }) => before?.type !== "directory" || after?.type !== "directory")
    .map(({ path }) => decodePath(path).text);
  const steeringNow = stampSteering(repository);
  const paths = new Set([...steering.keys(), ...steeringNow.keys()]);
  const changed = [...paths].filter((path) => (steering.get(path) ?? "") !== (steeringNow.get(path) ?? ""));
  return [...files, ...changed.map((path) => `.git/${decodePath(path).text}`)];
}
