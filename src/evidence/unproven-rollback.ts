/** Compares a rollback after a crash with what git itself knows, before anything is touched. */
import type { RollbackStep } from "../records/recovery.ts";
import type { CommittedTree } from "../records/committed-tree.ts";
import type { Entry, Manifest } from "../base/manifest.ts";
import { compareManifests } from "./pure/compare-manifests.ts";
import { listUnprovenGitSteps, listUnprovenWorktreeSteps, type WorktreeQuestion } from "./pure/unproven-steps.ts";
import { readContents } from "../store/content-store.ts";
import { hashObject, readCommittedTree } from "../git/read-committed-tree.ts";
import { readObjectTypes } from "../git/git-objects.ts";
import { accessRepository } from "../git/git.ts";
import { type IndexEntry, readIndexFile } from "../store/git-index.ts";
import { listExtensions, readCachedTrees } from "../store/index-extensions.ts";
import { observe } from "./observe.ts";
import { findOwnGitPrefix } from "./pure/own-git-prefix.ts";
import { convertToRollbackError, type WholeRollback } from "./put-back.ts";
import { addSpared } from "./restore-all.ts";

/** What the caller knows about single files. */
export type RollbackFiles = Pick<WorktreeQuestion, "isSaved" | "isTrusted">;

export function listUnprovenRollback(rollback: WholeRollback, files: RollbackFiles): Promise<readonly RollbackStep[]> {
  const { repository, store, before, mountsSince, spared } = rollback;
  return convertToRollbackError(async () => {
    const concealed = (await mountsSince()).map(({ point }) => point);
    const now = await observe({ repository, store, earlier: before, afterBuild: true, isComparison: true, concealed });
    const target = addSpared(before.worktree, now.worktree, spared);
    const committed = await readCommittedTree(repository);
    const identify = await makeIdentify(rollback, { target, now: now.worktree, committed });
    return [
      ...listUnprovenWorktreeSteps({ target, now: now.worktree, committed, identify, ...files }),
      ...listUnprovenGitSteps(
        before.git,
        now.git,
        await findProvenIndex(rollback, committed, identify),
        await makeNeedTest(rollback, now.git, committed),
      ),
    ];
  });
}

/** In a repository with longer ids, only contents that would be written are hashed again. */
async function makeIdentify(
  { store }: WholeRollback,
  { target, now, committed }: Pick<WorktreeQuestion, "target" | "now" | "committed">,
): Promise<WorktreeQuestion["identify"]> {
  const length = committed?.commit.length ?? 40;
  const wanted = compareManifests(target, now).flatMap(({ path, before }) =>
    before !== null && before.id !== null && committed?.files.has(path) === true
      ? [{ id: before.id, size: before.size }]
      : [],
  );
  const contents =
    length === 40
      ? new Map<string, Buffer>()
      : await readContents(store, wanted).catch(() => new Map<string, Buffer>());
  return ({ type, id, target: link }) => {
    if (type === "symlink") return link === null ? null : hashObject("blob", Buffer.from(link, "latin1"), { length });
    if (length === 40 || id === null) return id;
    const content = contents.get(id);
    return content === undefined ? null : hashObject("blob", content, { length });
  };
}

const LOOSE = /^objects\/([0-9a-f]{2})\/([0-9a-f]{38}|[0-9a-f]{62})$/;

/** Commits and tags, and everything in the checked out commit. */
async function makeNeedTest(
  { repository, before }: WholeRollback,
  now: Manifest,
  committed: CommittedTree | null,
): Promise<(path: string) => boolean> {
  const objects = [...now.keys()].flatMap((path) => {
    const found = before.git.has(path) ? null : LOOSE.exec(path);
    return found === null ? [] : [{ path, id: `${found[1] ?? ""}${found[2] ?? ""}` }];
  });
  const types = await readObjectTypes(
    accessRepository(repository),
    objects.map(({ id }) => id),
  ).catch(() => null);
  const used = new Set([...(committed?.folders.values() ?? []), ...listIds(committed)]);
  const needed = objects.filter(({ id }, at) => {
    const type = types?.[at] ?? null;
    return committed === null || used.has(id) || type === "commit" || type === "tag";
  });
  const paths = new Set(needed.map(({ path }) => path));
  return (path) => paths.has(path);
}

function listIds(committed: CommittedTree | null): readonly string[] {
  return committed === null ? [] : [...committed.files.values()].map(({ id }) => id);
}

/** The index, if its entries, its trees and the files of the worktree are exactly those of the commit. */
async function findProvenIndex(
  { repository, store, before }: WholeRollback,
  committed: CommittedTree | null,
  identify: WorktreeQuestion["identify"],
): Promise<string | null> {
  const path = `${findOwnGitPrefix(repository)}index`;
  const entry = before.git.get(path);
  if (committed === null || entry?.type !== "file" || entry.id === null) return null;
  try {
    const content = (await readContents(store, [{ id: entry.id, size: entry.size }])).get(entry.id);
    if (content === undefined || !isIndexOf(committed, content)) return null;
  } catch {
    return null;
  }
  // Git skips a file whose times are those in the index: a forged index could hide a changed file.
  const isAsCommitted = (file: Entry | undefined, id: string, mode: string): boolean =>
    mode === "160000" || (file !== undefined && identify(file) === id);
  const isWhole = [...committed.files].every(([name, { id, mode }]) =>
    isAsCommitted(before.worktree.get(name), id, mode),
  );
  return isWhole ? path : null;
}

/** Only with extensions that tell git nothing else than the entries do. */
const PLAIN_EXTENSIONS = ["TREE", "EOIE", "IEOT"];

function isIndexOf({ files, folders }: CommittedTree, content: Buffer): boolean {
  const index = readIndexFile(content);
  const extensions = listExtensions(content, index);
  if (extensions.some(({ name }) => !PLAIN_EXTENSIONS.includes(name))) return false;
  const trees = extensions.filter(({ name }) => name === "TREE");
  if (trees.some(({ data }) => [...readCachedTrees(data, index.idBytes)].some(([at, id]) => folders.get(at) !== id)))
    return false;
  const listed = new Map(index.entries.filter(isPlainEntry).map(({ path, mode, id }) => [path, { mode, id }]));
  if (listed.size !== index.entries.length || listed.size !== files.size) return false;
  return [...files].every(([path, { mode, id }]) => {
    const entry = listed.get(path);
    return entry?.id === id && entry.mode === Number.parseInt(mode, 8);
  });
}

function isPlainEntry({ stage, assumeUnchanged, skipWorktree, intentToAdd }: IndexEntry): boolean {
  return stage === 0 && !assumeUnchanged && !skipWorktree && !intentToAdd;
}
