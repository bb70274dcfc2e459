import { join, relative, sep } from "node:path";
import type { Change, EntrySide, Rules } from "../records/evidence.ts";
import { findWeakenedChecks } from "../evidence/find-weakened-checks.ts";
import type { ContentFile } from "../evidence/find-forbidden-content.ts";
import { readWanted } from "../git/git-objects.ts";
import { type BaseCommit, type BaseFile, openBase, type RememberedContents } from "./base-commit.ts";
import { MeasurementError, unreachable } from "../base/errors.ts";
import { findCollisions } from "../evidence/pure/compare-manifests.ts";
import { decodePath } from "../base/path-names.ts";
import { type GitDifference, type GitSide, type LineCounts, listGitDifference } from "../git/git-difference.ts";
import { countNoun } from "../base/words.ts";
import { type FilterSettings, readFilterSettings } from "../git/filter-settings.ts";
import type { GitAccess } from "../git/git.ts";
import { addWorktree, copyIndex, readIndexToCommit } from "../store/private-index.ts";
import { type IndexAccess, readIndex } from "../store/read-index.ts";
import {
  adoptInfo,
  compareOnlyText,
  createPrivateRepository,
  type PrivateRepository,
} from "../git/private-repository.ts";
import type { Repository } from "../git/repository-layout.ts";
import { withStoredObjects } from "../git/stored-objects.ts";
import { listTree } from "../git/tree-listing.ts";
import { listNames } from "../system/list-folders.ts";
import { withTemporaryFolder } from "../system/temporary-folder.ts";
import type { JudgedSubject } from "./judge-rules.ts";
import {
  type CommittedFile,
  markForbiddenContent,
  measureContents,
  type MeasuredContent,
  readRulesFile,
} from "./judge-content.ts";

/** How many contents are read at once. */
const BATCH = 50;
/** Longer ones are not searched. */
const TEXT_BYTES_MAX = 1024 * 1024;

async function markWeakening(
  base: BaseCommit,
  changes: readonly Change[],
  rules: Rules | null,
): Promise<readonly Change[]> {
  if (rules === null) return changes;
  const committed = rules.weakening === undefined || changes.length === 0 ? [] : await base.listFiles();
  const byPath = new Map(committed.map((file) => [file.path, file]));
  const found = await findWeakenedChecks({
    rules,
    changes: changes.map(({ path, before, after }) => ({ path, before: nameSide(before), after: nameSide(after) })),
    listPaths: async () => [...byPath.keys()],
    readContents: (wanted) => readWanted(base.read, wanted),
    readFiles: (paths) =>
      readCommitted(
        base,
        paths.flatMap((path) => byPath.get(path) ?? []),
      ),
  });
  return changes.map((change) => {
    const weakened = found.get(change.path);
    return weakened === undefined ? change : { ...change, weakened };
  });
}

function nameSide(side: EntrySide | null): Pick<ContentFile, "id" | "size"> | null {
  return side?.type === "file" && side.id !== null ? { id: side.id, size: side.size } : null;
}

async function* readCommitted(base: BaseCommit, files: readonly BaseFile[]) {
  for (let at = 0; at < files.length; at += BATCH) {
    const batch = files.slice(at, at + BATCH);
    const contents = await base.readContext(batch, TEXT_BYTES_MAX);
    for (const { path, id } of batch) {
      const content = contents.get(id);
      if (content !== undefined) yield [path, content] as const;
    }
  }
}

function listChanges(
  differences: readonly GitDifference[],
  objects: ReadonlyMap<string, MeasuredContent> /** Byte strings of the paths that a new name may collide with. */,
  existing: readonly string[] /** True for a working tree only. */,
  isUntracked: boolean,
): readonly Change[] {
  const added = differences.filter(({ before }) => before === null).map(({ path }) => decodePath(path).text);
  const collisions = findCollisions(added, added.length === 0 ? [] : existing.map((path) => decodePath(path).text));
  return differences.map((difference) => {
    const { text, base64 } = decodePath(difference.path);
    const counts = difference.counts ?? countWhole(difference, objects);
    const isLink = [difference.before, difference.after].some((side) => side?.mode === "160000");
    return {
      path: text,
      path_base64: base64,
      before: describeSide(difference.before, objects),
      after: describeSide(difference.after, objects),
      standing: isUntracked && difference.before === null ? "untracked" : "tracked",
      lines_added: counts.added,
      lines_deleted: counts.deleted,
      bytes_changed: counts.bytes,
      inside_repository: isLink ? text : null,
      collides_with: difference.before === null ? collisions.with(text) : null,
      made_readable: false,
    };
  });
}

/** Content that was not compared line by line counts as replaced altogether. */
function countWhole({ before, after }: GitDifference, objects: ReadonlyMap<string, MeasuredContent>): LineCounts {
  const [was, is] = [findContent(before, objects), findContent(after, objects)];
  return { added: countLines(is), deleted: countLines(was), bytes: (was?.size ?? 0) + (is?.size ?? 0) };
}

function countLines(object: MeasuredContent | null): number {
  if (object === null || object.size === 0) return 0;
  return Math.max(1, object.newlines);
}

function findContent(side: GitSide | null, objects: ReadonlyMap<string, MeasuredContent>): MeasuredContent | null {
  if (side === null || side.mode === "160000") return null;
  const object = objects.get(side.id);
  if (object === undefined) throw new MeasurementError(`object ${side.id}`, "was not read");
  return object;
}

const TYPES: Readonly<Record<string, EntrySide["type"]>> = {
  "100": "file",
  "120": "symlink",
  "160": "gitlink",
};

/** A tree knows two modes of a file; the others are what a checkout makes of the entry. */
const MODES: Readonly<Record<string, string>> = { "120000": "0777", "160000": "0755" };

function describeSide(side: GitSide | null, objects: ReadonlyMap<string, MeasuredContent>): EntrySide | null {
  if (side === null) return null;
  const type = TYPES[side.mode.slice(0, 3)];
  if (type === undefined) throw new MeasurementError(`mode ${side.mode}`, "is none that git uses for files");
  const object = findContent(side, objects);
  const link = type === "symlink" ? (object?.content ?? null) : null;
  return {
    type,
    mode: MODES[side.mode] ?? `0${side.mode.slice(3)}`,
    size: object?.size ?? 0,
    id: side.id,
    link_target: link === null ? null : decodePath(link.toString("latin1")).text,
    hard_links: 1,
  };
}

/**
 * Measures a change in a temporary repository beside the user's.
 *
 * Objects are read from the user's store and new ones are written into ours, the index is ours, and so are
 * configuration and attributes while comparing: nothing in the user's repository is written and nothing in it decides
 * how the change is counted. A working tree is stored through the user's own filters first, so that the content judged
 * is the content a commit would hold.
 */

interface Measured<Decided> {
  readonly changes: readonly Change[];
  readonly decided: Decided;
  readonly notes: readonly string[];
}

interface MeasureSource {
  readonly repository: Repository;
  readonly subject: JudgedSubject;
  readonly signal: AbortSignal | undefined;
  /** If they were asked for already. */
  readonly settings?: Promise<FilterSettings> | undefined;
  readonly remembered?: RememberedContents | undefined;
}

interface MeasureRequest<Decided> extends MeasureSource {
  /** The rules, from relais.config.json as the commit with the rules has it. Without rules nothing is forbidden. */
  readonly decide: (configuration: CommittedFile) => Promise<Decided>;
}

/** Throws if anything cannot be measured: there is no partial result. */
export async function measure<Decided extends { readonly rules: Rules | null }>(
  measuring: MeasureRequest<Decided>,
): Promise<Measured<Decided>> {
  return measureAll(measuring).catch((error: unknown) => {
    throw error instanceof MeasurementError ? nameFetch(error, measuring) : error;
  });
}

const PROMISED = ".promisor";

/** A partial clone may lack what changed. Git fetches it where it shows the change; relais fetches nothing. */
function nameFetch(error: MeasurementError, { repository, subject }: MeasureSource): MeasurementError {
  const packs = listNames(join(repository.commonDir, "objects/pack"));
  if (!packs.some((name) => name.endsWith(PROMISED))) return error;
  const command = ["git diff --stat", subject.base, subject.head ?? ""].join(" ").trim();
  return new MeasurementError(
    error.what,
    `${error.detail}. This clone is partial; \`${command}\` fetches what changed`,
  );
}

function measureAll<Decided extends { readonly rules: Rules | null }>(
  measuring: MeasureRequest<Decided>,
): Promise<Measured<Decided>> {
  return withTemporaryFolder(measuring.repository.environment, async (folder) => {
    refuseInside(folder, measuring.repository);
    const own = await createPrivateRepository(join(folder, "git"), {
      objectFormat: measuring.subject.base.length === 64 ? "sha256" : "sha1",
      // Stores that this one borrows from are found by git itself.
      alternates: [join(measuring.repository.commonDir, "objects")],
    });
    const access: IndexAccess = {
      cwd: own.gitDir,
      environment: measuring.repository.environment,
      gitDir: own.gitDir,
      indexFile: own.indexFile,
      signal: measuring.signal,
    };
    return withStoredObjects(access, [measuring.repository.commonDir, own.gitDir], (read, measureSize) => {
      const { remembered } = measuring;
      const base = openBase(measuring.subject.base, { access, read, measure: measureSize, remembered });
      return measureIn({ ...measuring, folder, own, access }, base);
    });
  });
}

async function measureIn<Decided extends { readonly rules: Rules | null }>(
  measuring: MeasureRequest<Decided> & MeasuringPlace,
  base: BaseCommit,
): Promise<Measured<Decided>> {
  const { own, access, subject } = measuring;
  const filling = fillIndex(own, measuring);
  // Done while git reads the working tree. A failure is reported where the result is used.
  base.listEntries().catch(() => undefined);
  const deciding = readRulesFile(base.read, subject.rules.commit).then(measuring.decide);
  deciding.catch(() => undefined);
  const notes = await filling;
  await compareOnlyText(own);
  const differences = await listDifferences(subject, access);
  const existing = await listPathsBeside(differences, measuring, base);
  const objects = await measureContents(base, differences);
  const isUntracked = subject.kind === "worktree";
  const decided = await deciding;
  const { rules } = decided;
  const changes = listChanges(differences, objects, existing, isUntracked);
  const root = isUntracked ? measuring.repository.root : null;
  const marked = await markForbiddenContent(base, root, changes, rules);
  const weakened = await markWeakening(base, marked, rules);
  return { changes: weakened, decided, notes: [...notes, ...base.listNotes()] };
}

interface MeasuringPlace extends MeasureSource {
  readonly folder: string;
  readonly own: PrivateRepository;
  readonly access: IndexAccess;
}

/** A private repository in the tree that it measures would measure itself. */
function refuseInside(folder: string, { root }: Repository): void {
  const path = relative(root, folder);
  if (path === "" || (path !== ".." && !path.startsWith(`..${sep}`))) {
    throw new MeasurementError(
      "the temporary folder",
      `${folder} lies inside the repository; set TMPDIR to another place`,
    );
  }
}

async function fillIndex(
  own: PrivateRepository,
  { repository, subject, signal, settings }: MeasureSource,
): Promise<readonly string[]> {
  switch (subject.kind) {
    case "range":
      return [];
    case "staged":
      await copyIndex(repository, own, await readIndexToCommit(repository));
      return [];
    case "worktree": {
      await adoptInfo(own, repository.commonDir);
      const asked = settings ?? readFilterSettings(repository, signal);
      const { sparsePaths } = await addWorktree({ repository, privateRepository: own, settings: asked, signal });
      return sparsePaths === 0
        ? []
        : [`Assumed unchanged (outside the sparse checkout): ${countNoun(sparsePaths, "path")}.`];
    }
    default:
      return unreachable(subject.kind);
  }
}

/** The paths that a new name could collide with. */
async function listPathsBeside(
  differences: readonly GitDifference[],
  { access, subject }: MeasuringPlace,
  base: BaseCommit,
): Promise<readonly string[]> {
  const added = new Set(differences.filter(({ before }) => before === null).map(readPath));
  if (added.size === 0) return [];
  return (await listJudgedPaths(differences, { access, subject }, base)).filter((path) => !added.has(path));
}

async function listJudgedPaths(
  differences: readonly GitDifference[],
  { access, subject }: Pick<MeasuringPlace, "access" | "subject">,
  base: BaseCommit,
): Promise<readonly string[]> {
  switch (subject.kind) {
    case "staged": {
      // An index may have paths that no commit would have.
      return (await readIndex(access)).map(readPath);
    }
    case "range":
      // After merges both ways the differences do not lead from the base to the end.
      if (subject.otherBases.length > 0) return (await listTree(base.read, subject.head ?? subject.base)).map(readPath);
      return listLeftPaths(differences, base);
    case "worktree":
      return listLeftPaths(differences, base);
    default:
      return unreachable(subject.kind);
  }
}

async function listLeftPaths(differences: readonly GitDifference[], base: BaseCommit): Promise<readonly string[]> {
  const removed = new Set(differences.filter(({ after }) => after === null).map(readPath));
  return (await base.listEntries()).map(readPath).filter((path) => !removed.has(path));
}

/**
 * Lists what the change consists of.
 *
 * Where histories were merged into each other both ways there is more than one commit to compare with, and each
 * explains only a part of what the end has: what one of them has already may undo the other. So every path counts that
 * differs from any of them. Left out is only what the other side has in the same way, because a merge cannot bring it.
 */
async function listDifferences(
  { base, otherBases, head, rules }: JudgedSubject,
  access: GitAccess,
): Promise<readonly GitDifference[]> {
  if (otherBases.length === 0) return listGitDifference(access, { from: base, to: head });
  const brought = new Set((await listGitDifference(access, { from: rules.commit, to: head })).map(readPath));
  const largest = new Map<string, GitDifference>();
  for (const from of [base, ...otherBases]) {
    for (const difference of await listGitDifference(access, { from, to: head })) {
      const known = largest.get(difference.path);
      if (brought.has(difference.path) && (known === undefined || weighDifference(difference) > weighDifference(known)))
        largest.set(difference.path, difference);
    }
  }
  return [...largest.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

const readPath = ({ path }: Pick<GitDifference, "path">): string => path;

/** The strictest reading counts: a creation before content that was not compared, and then the most bytes. */
function weighDifference({ before, counts }: GitDifference): number {
  if (before === null) return Number.POSITIVE_INFINITY;
  return counts?.bytes ?? Number.MAX_SAFE_INTEGER;
}
