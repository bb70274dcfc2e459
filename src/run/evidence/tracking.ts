/** Whether a path is tracked, untracked or ignored, by the index and the ignore rules of T0. */
import type { Change } from "../../contract/evidence/evidence.ts";
import type { Observation } from "../../contract/evidence/manifest.ts";
import { toBytePath } from "../../io/files/byte-path.ts";
import type { ContentStore } from "../../io/content/content-store.ts";
import type { IndexEntry } from "../../io/index/git-index.ts";
import { listIgnoredPaths } from "../../io/git/ignore-rules.ts";
import type { Repository } from "../../io/git/repository-layout.ts";
import { readContentTexts, type Texts } from "./content-texts.ts";
import { readIndexEntries, isIndexPart } from "./index-changes.ts";
import { findOwnGitPrefix } from "./own-git-prefix.ts";

export type TrackingStatus = Change["standing"];

export interface TrackingQuestion {
  readonly repository: Repository;
  readonly store: ContentStore;
  readonly before: Observation;
  readonly userExcludesFile: string | null;
  readonly paths: readonly { readonly path: string; readonly isFolder: boolean }[];
}

export async function readTrackingStatus(question: TrackingQuestion): Promise<(path: string) => TrackingStatus> {
  const { repository, before, paths } = question;
  if (paths.length === 0) return () => "untracked";
  const own = findOwnGitPrefix(repository);
  const isOwnIndex = (path: string): boolean => path.startsWith(own) && isIndexPart(path);
  const git = await readTexts(question, "git", (path) => isOwnIndex(path) || path === "info/exclude");
  const isTracked = makeTrackedTest(readIndexEntries(`${own}index`, before.git, git) ?? []);
  const others = paths.filter(({ path }) => !isTracked(path));
  const names = others.map(({ path }) => path);
  const ignored = await listIgnoredPaths({
    rules: {
      files: names.length === 0 ? new Map() : await readIgnoreFiles(question, names),
      exclude: git(before.git.get("info/exclude")),
      userExcludesFile: question.userExcludesFile,
    },
    paths: names,
    folders: others.filter(({ isFolder }) => isFolder).map(({ path }) => path),
    environment: repository.environment,
  });
  return (path) => {
    if (isTracked(path)) return "tracked";
    return ignored.has(path) ? "ignored" : "untracked";
  };
}

type IndexQuestion = Pick<TrackingQuestion, "repository" | "store" | "before">;

export async function readTracking(question: IndexQuestion): Promise<(path: string) => boolean> {
  return makeTrackedTest(await listTrackedEntries(question));
}

export async function listTrackedEntries({ repository, store, before }: IndexQuestion): Promise<readonly IndexEntry[]> {
  const own = findOwnGitPrefix(repository);
  const folder = toBytePath(repository.commonDir);
  const isWanted = (path: string): boolean => path.startsWith(own) && isIndexPart(path);
  const git = await readContentTexts({ store, folder, manifests: [before.git], isWanted });
  return readIndexEntries(`${own}index`, before.git, git) ?? [];
}

function readTexts(
  { repository, store, before }: TrackingQuestion,
  part: "git" | "worktree",
  isWanted: (path: string) => boolean,
): Promise<Texts> {
  const folder = toBytePath(part === "git" ? repository.commonDir : repository.root);
  return readContentTexts({ store, folder, manifests: [before[part]], isWanted });
}

/** A folder of a sparse index stands for everything below it. */
function makeTrackedTest(entries: readonly IndexEntry[]): (path: string) => boolean {
  const files = new Set<string>();
  const folders: string[] = [];
  for (const { path } of entries) {
    if (path.endsWith("/")) folders.push(path);
    else files.add(path);
  }
  return (path) => files.has(path) || folders.some((folder) => path.startsWith(folder));
}

/** The `.gitignore` files of T0 in every folder above one of the paths. */
async function readIgnoreFiles(
  question: TrackingQuestion,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const folders = new Set<string>([""]);
  for (const path of paths) {
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) folders.add(path.slice(0, at));
  }
  const { worktree } = question.before;
  const byName = new Map(
    [...folders].map((folder) => [folder === "" ? ".gitignore" : `${folder}/.gitignore`, folder] as const),
  );
  const text = await readTexts(question, "worktree", (path) => byName.has(path));
  const files = new Map<string, Buffer>();
  for (const [name, folder] of byName) {
    const content = text(worktree.get(name));
    if (content !== null) files.set(folder, content);
  }
  return files;
}
