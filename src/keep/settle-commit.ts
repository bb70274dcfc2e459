/**
 * Commits an accepted change: the base plus exactly the judged paths.
 *
 * Everything that can fail happens first and leaves nothing visible: the objects, the hooks, the new index. Then, with
 * the index locked, the branch moves if it still is where the tick began, and the index follows. Only the paths of the
 * evidence take part, and never one that the rules before the work began ignore.
 */
import { join } from "node:path";
import type { Change } from "../records/evidence.ts";
import type { LandingCommits } from "../workflows/pure/workflow.ts";
import { MeasurementError } from "../base/errors.ts";
import { writeComplete } from "../system/atomic-file.ts";
import { toBytePath } from "../system/byte-path.ts";
import type { CommitIdentity } from "../store/commit-identity.ts";
import { stageTree } from "../store/commit-objects.ts";
import { type ContentStore, readContents } from "../store/content-store.ts";
import { commitTree } from "../git/commit-tree.ts";
import type { FilterSettings } from "../git/filter-settings.ts";
import { type FilterView, openFilterView } from "../git/filter-view.ts";
import { freezeAttributes } from "../store/pin-hooks.ts";
import type { GitSide } from "../git/git-difference.ts";
import { nameBranchRef, moveBranch } from "../store/branches.ts";
import { withPrivateFolder } from "../system/private-folder.ts";
import { isAsRecorded, type RecordedEntry } from "../store/recorded-entry.ts";
import type { Repository } from "../git/repository-layout.ts";
import { editIndex, withIndexLock } from "../store/user-index.ts";
import { decodeChangePath } from "../evidence/change-bytes.ts";
import { type HookRefusal, findHookRefusal, type HookRun } from "./commit-hooks.ts";
import type { SignTree } from "./sign-settlement.ts";

export interface CommitRequest {
  readonly repository: Repository;
  readonly store: ContentStore;
  /** As they were before the work began. */
  readonly settings: FilterSettings;
  readonly identity: CommitIdentity;
  readonly base: string;
  /** Must name a branch. */
  readonly headText: string;
  /** All changes of the evidence; ignored paths are not committed. */
  readonly changes: readonly Change[];
  readonly message: string;
  /** Commits that were made before and hold exactly these changes; absent makes one of them. */
  readonly commits?: LandingCommits | undefined;
  readonly reason: string;
  readonly hooks: HookRun | null;
  /** Null or absent signs nothing. Commits that were made before stay as they are. */
  readonly sign?: SignTree | null;
  readonly privateRoot: string;
  readonly signal?: AbortSignal | undefined;
}

export type CommitOutcome =
  | {
      readonly kind: "committed";
      readonly commit: string;
      readonly branch: string;
      readonly notes: readonly string[];
    }
  | { readonly kind: "nothing-to-commit" }
  | ({ readonly kind: "refused" } & HookRefusal);

const REASON_CHARACTERS_MAX = 200;

export async function commitAccepted(request: CommitRequest): Promise<CommitOutcome> {
  const ref = nameBranchRef(request.headText);
  if (ref === null) throw new MeasurementError("HEAD", "names no branch to commit on");
  const { repository, settings, base, signal } = request;
  return withPrivateFolder(request.privateRoot, async (folder) => {
    const objectFormat = base.length === 64 ? "sha256" : "sha1";
    const view = await openFilterView({ repository, settings, folder, objectFormat, signal });
    const entries = listCommittedEntries(request.changes);
    const attributesBefore = await readContentsBefore(request);
    const staged = await stageTree({ repository, settings, view, base, entries, attributesBefore });
    if (staged.differences.size === 0) return { kind: "nothing-to-commit" };
    if (attributesBefore.size > 0) await freezeAttributes(view, [...staged.differences.keys()]);
    const refusal = await askHooks(request, { view, entries, differences: staged.differences });
    if (refusal !== null) return { kind: "refused", ...refusal };
    const message = await signMessage(request, staged.tree);
    if (typeof message !== "string") return { kind: "refused", ...message };
    const { identity } = request;
    const access = { ...view.access, signal: undefined };
    const commit =
      request.commits === undefined
        ? await commitTree(access, { tree: staged.tree, parent: base, message, identity })
        : requireSame(request.commits, { base, tree: staged.tree });
    await publishCommit(request, { view, commit, differences: staged.differences });
    return { kind: "committed", commit, branch: ref.slice("refs/heads/".length), notes: listNotes(identity) };
  });
}

/** The message ends with trailers, and the proof is one more. */
async function signMessage({ message, commits, sign }: CommitRequest, tree: string): Promise<string | HookRefusal> {
  if (commits !== undefined || sign === undefined || sign === null) return message;
  const trailer = await sign(tree);
  return typeof trailer === "string" ? `${message}${trailer}\n` : trailer;
}

/** Nothing but the judged change, on top of the judged base. */
function requireSame(commits: LandingCommits, judged: Pick<LandingCommits, "base" | "tree">): string {
  if (commits.base !== judged.base || commits.tree !== judged.tree)
    throw new MeasurementError("the commits to land", "do not hold exactly what was judged");
  return commits.tip;
}

/** A commit holds no empty folder; a device was never accepted. */
export function listCommittedEntries(changes: readonly Change[]): readonly RecordedEntry[] {
  return changes
    .filter(({ standing }) => standing !== "ignored")
    .flatMap((change): readonly RecordedEntry[] => {
      const { before, after } = change;
      const path = decodeChangePath(change);
      if (after !== null && after.type !== "directory") return [{ path, side: after }];
      return before === null || before.type === "directory" ? [] : [{ path, side: null }];
    });
}

/** The content before the change of every file that may set attributes. */
async function readContentsBefore({ store, changes, settings, repository }: CommitRequest) {
  const values = Object.values(settings.env);
  const decides = (change: Change): boolean =>
    /(?:^|\/)\.gitattributes$/.test(change.path) ||
    values.includes(change.path) ||
    values.includes(join(repository.root, change.path));
  const wanted = changes.filter((change) => decides(change));
  const files = wanted.flatMap(({ before }) =>
    before?.type === "file" && before.id !== null ? [{ id: before.id, size: before.size }] : [],
  );
  const contents = await readContents(store, files);
  return new Map(
    wanted.map((change) => [decodeChangePath(change), contents.get(change.before?.id ?? "") ?? null] as const),
  );
}

interface PreparedCommit {
  readonly view: FilterView;
  readonly differences: ReadonlyMap<string, GitSide | null>;
}

async function askHooks(
  { repository, hooks, message, signal }: CommitRequest,
  { view, entries, differences }: PreparedCommit & { readonly entries: readonly RecordedEntry[] },
): Promise<HookRefusal | null> {
  if (hooks === null) return null;
  const indexFile = await editIndex(repository, view, differences);
  const messageFile = join(view.access.gitDir, "COMMIT_EDITMSG");
  await writeComplete(messageFile, message, 0o600);
  const root = toBytePath(repository.root);
  const isAsJudged = (): boolean => entries.every((entry) => isAsRecorded(root, entry));
  return findHookRefusal({ run: hooks, root: repository.root, indexFile, messageFile, isAsJudged, signal });
}

/** The filters run again for the new index, which can still be stopped. Then branch and index move together. */
async function publishCommit(
  { repository, headText, base, reason, identity }: CommitRequest,
  { view, commit, differences }: PreparedCommit & { readonly commit: string },
): Promise<void> {
  await withIndexLock(repository, async (install) => {
    const index = await editIndex(repository, view, differences);
    const move = { repository, headText, identity, reason: reason.slice(0, REASON_CHARACTERS_MAX) };
    await moveBranch({ ...move, from: base, to: commit });
    try {
      await install(index);
    } catch (error) {
      await moveBranch({ ...move, from: commit, to: base });
      throw error;
    }
  });
}

function listNotes({ isFallback, name, email }: CommitIdentity): readonly string[] {
  if (!isFallback) return [];
  return [`user.name and user.email are not set, so the commit is by ${name} <${email}>.`];
}
