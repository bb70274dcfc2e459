/** Whether a path is tracked, untracked or ignored, by the index and the ignore rules as they were before the work began. */
import type { Change } from "../../contract/evidence/evidence.ts";
import type { Observation } from "../../contract/evidence/manifest.ts";
import { bytePath } from "../../io/files/byte-path.ts";
import type { ContentStore } from "../../io/content/content-store.ts";
import type { IndexEntry } from "../../io/index/git-index.ts";
import { ignoredPaths } from "../../io/git/ignore-rules.ts";
import type { Repository } from "../../io/git/repository-layout.ts";
import { contentTexts, type Texts } from "./content-texts.ts";
import { indexEntries, isIndexPart } from "./index-changes.ts";
import { ownGitPrefix } from "./own-git-prefix.ts";

export type Standing = Change["standing"];

export interface StandingQuestion {
  readonly repository: Repository;
  readonly store: ContentStore;
  readonly before: Observation;
  readonly userExcludesFile: string | null;
  readonly paths: readonly { readonly path: string; readonly isFolder: boolean }[];
}

export async function standings(question: StandingQuestion): Promise<(path: string) => Standing> {
  const { repository, before, paths } = question;
  if (paths.length === 0) return () => "untracked";
  const own = ownGitPrefix(repository);
  const isOwnIndex = (path: string): boolean => path.startsWith(own) && isIndexPart(path);
  const git = await texts(question, "git", (path) => isOwnIndex(path) || path === "info/exclude");
  const isTracked = trackedIn(indexEntries(`${own}index`, before.git, git) ?? []);
  const others = paths.filter(({ path }) => !isTracked(path));
  const names = others.map(({ path }) => path);
  const ignored = await ignoredPaths({
    rules: {
      files: names.length === 0 ? new Map() : await ignoreFiles(question, names),
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

type IndexQuestion = Pick<StandingQuestion, "repository" | "store" | "before">;

/** Whether the index, as it was, lists a path. */
export async function tracking(question: IndexQuestion): Promise<(path: string) => boolean> {
  return trackedIn(await trackedEntries(question));
}

/** What the index, as it was, lists. */
export async function trackedEntries({
  repository,
  store,
  before,
}: IndexQuestion): Promise<readonly IndexEntry[]> {
  const own = ownGitPrefix(repository);
  const folder = bytePath(repository.commonDir);
  const isWanted = (path: string): boolean => path.startsWith(own) && isIndexPart(path);
  const git = await contentTexts({ store, folder, manifests: [before.git], isWanted });
  return indexEntries(`${own}index`, before.git, git) ?? [];
}

function texts(
  { repository, store, before }: StandingQuestion,
  part: "git" | "worktree",
  isWanted: (path: string) => boolean,
): Promise<Texts> {
  const folder = bytePath(part === "git" ? repository.commonDir : repository.root);
  return contentTexts({ store, folder, manifests: [before[part]], isWanted });
}

/** A folder of a sparse index stands for everything below it. */
function trackedIn(entries: readonly IndexEntry[]): (path: string) => boolean {
  const files = new Set<string>();
  const folders: string[] = [];
  for (const { path } of entries) {
    if (path.endsWith("/")) folders.push(path);
    else files.add(path);
  }
  return (path) => files.has(path) || folders.some((folder) => path.startsWith(folder));
}

/** The `.gitignore` files, as they were, of every folder above one of the paths. */
async function ignoreFiles(
  question: StandingQuestion,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const folders = new Set<string>([""]);
  for (const path of paths) {
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1))
      folders.add(path.slice(0, at));
  }
  const { worktree } = question.before;
  const byName = new Map([...folders].map((folder) => [ignoreFileIn(folder), folder] as const));
  const text = await texts(question, "worktree", (path) => byName.has(path));
  const files = new Map<string, Buffer>();
  for (const [name, folder] of byName) {
    const content = text(worktree.get(name));
    if (content !== null) files.set(folder, content);
  }
  return files;
}

function ignoreFileIn(folder: string): string {
  return folder === "" ? ".gitignore" : `${folder}/.gitignore`;
}
