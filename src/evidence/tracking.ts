/** Whether a path is tracked, untracked or ignored, by the index and the ignore rules of T0. */
import type { Change } from "../records/evidence.ts";
import type { Observation } from "../base/manifest.ts";
import { toBytePath } from "../system/byte-path.ts";
import type { ContentStore } from "../store/content-store.ts";
import type { IndexEntry } from "../store/git-index.ts";
import { NOTHING_TRACKED, readTrackedFiles, type TrackedFiles } from "../store/tracked-files.ts";
import { listIgnoredPaths } from "../git/ignore-rules.ts";
import type { Repository } from "../git/repository-layout.ts";
import { readContentTexts, type Texts } from "./content-texts.ts";
import { readIndexEntries, isIndexPart } from "./index-changes.ts";
import { findOwnGitPrefix } from "./pure/own-git-prefix.ts";

export type TrackingStatus = Change["standing"];

export interface TrackingQuestion {
  readonly repository: Repository;
  readonly store: ContentStore;
  readonly before: Observation;
  readonly userExcludesFile: string | null;
  readonly paths: readonly { readonly path: string; readonly isFolder: boolean }[];
}

export async function readTrackingStatus(question: TrackingQuestion): Promise<(path: string) => TrackingStatus> {
  const { repository, paths } = question;
  if (paths.length === 0) return () => "untracked";
  const { has: isTracked } = await readTracked(question);
  const others = paths.filter(({ path }) => !isTracked(path));
  const names = others.map(({ path }) => path);
  const ignored = await listIgnoredPaths(
    {
      files: names.length === 0 ? new Map() : await readIgnoreFiles(question, names),
      exclude: names.length === 0 ? null : await readExclude(question),
      userExcludesFile: question.userExcludesFile,
    },
    names,
    others.filter(({ isFolder }) => isFolder).map(({ path }) => path),
    repository.environment,
  );
  return (path) => {
    if (isTracked(path)) return "tracked";
    return ignored.has(path) ? "ignored" : "untracked";
  };
}

type IndexQuestion = Pick<TrackingQuestion, "repository" | "store" | "before">;

/** The last one that was read, by the ids of its parts: a tick asks for the same one several times. */
let known: { readonly parts: string; readonly tracked: TrackedFiles } | null = null;

export async function readTracked(question: IndexQuestion): Promise<TrackedFiles> {
  const { repository, before } = question;
  const own = findOwnGitPrefix(repository);
  const index = before.git.get(`${own}index`);
  if (index === undefined) return NOTHING_TRACKED;
  const shared = [...before.git].filter(([path]) => path.startsWith(`${own}sharedindex.`));
  const parts = JSON.stringify([index.id, ...shared.map(([path, { id }]) => [path, id])]);
  if (index.id !== null && known?.parts === parts) return known.tracked;
  const texts = await readIndexTexts(question);
  const content = texts(index);
  if (content === null) return NOTHING_TRACKED;
  const tracked = readTrackedFiles(content, (id) => texts(before.git.get(`${own}sharedindex.${id}`)));
  known = { parts, tracked };
  return tracked;
}

export async function listTrackedEntries(question: IndexQuestion): Promise<readonly IndexEntry[]> {
  const own = findOwnGitPrefix(question.repository);
  return readIndexEntries(`${own}index`, question.before.git, await readIndexTexts(question)) ?? [];
}

function readIndexTexts({ repository, store, before }: IndexQuestion): Promise<Texts> {
  const own = findOwnGitPrefix(repository);
  const folder = toBytePath(repository.commonDir);
  const isWanted = (path: string): boolean => path.startsWith(own) && isIndexPart(path);
  return readContentTexts(store, folder, [before.git], isWanted);
}

async function readExclude({ repository, store, before }: IndexQuestion): Promise<Buffer | null> {
  const entry = before.git.get(EXCLUDE);
  if (entry === undefined) return null;
  const folder = toBytePath(repository.commonDir);
  const manifests = [new Map([[EXCLUDE, entry]])];
  return (await readContentTexts(store, folder, manifests, () => true))(entry);
}

const EXCLUDE = "info/exclude";

/** The `.gitignore` files of T0 in every folder above one of the paths. */
async function readIgnoreFiles(
  question: TrackingQuestion,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const folders = new Set<string>([""]);
  for (const path of paths) {
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) folders.add(path.slice(0, at));
  }
  const { repository, store, before } = question;
  const found = [...folders].flatMap((inside) => {
    const path = inside === "" ? ".gitignore" : `${inside}/.gitignore`;
    const entry = before.worktree.get(path);
    return entry === undefined ? [] : [{ inside, path, entry }];
  });
  const manifests = [new Map(found.map(({ path, entry }) => [path, entry]))];
  const folder = toBytePath(repository.root);
  const text = await readContentTexts(store, folder, manifests, () => true);
  const files = new Map<string, Buffer>();
  for (const { inside, entry } of found) {
    const content = text(entry);
    if (content !== null) files.set(inside, content);
  }
  return files;
}
