/**
 * Compares contents of the store line by line.
 *
 * Git compares trees, so two small trees are written with the changed files. They lie in the store, where a change that
 * is kept or saved needs the same trees. The same process makes the patch that is kept with the change, so that a tick
 * need not ask for it again. Content that is no text has no lines in a patch; it is compared once more, as text and
 * with numbers as names.
 */
import { join } from "node:path";
import { MeasurementError } from "../base/errors.ts";
import { refuseDamage, type StoredFile, storeTree } from "./remove-strays.ts";
import { accessStore, type ContentStore } from "./content-store.ts";
import { compareOnlyText, createPrivateRepository } from "../git/private-repository.ts";
import { withTemporaryFolder } from "../system/temporary-folder.ts";
import { UNSAFE } from "../system/redo-log.ts";
import type { GitAccess } from "../git/git.ts";
import { listGitDifference, type LineCounts, readGitPatch } from "../git/git-difference.ts";

export interface ComparedFile {
  /** A byte string. */
  readonly path: string;
  readonly before: FileContent | null;
  readonly after: FileContent | null;
}

interface FileContent {
  readonly id: string;
  readonly isExecutable: boolean;
}

const NONE: LineCounts = { added: 0, deleted: 0, bytes: 0 };
/** A longer patch is made when it is needed. */
const PATCH_BYTES_MAX = 4 * 1024 * 1024;

/** The counts in the order of the files; equal contents count nothing. */
export async function storeComparison(
  store: ContentStore,
  files: readonly ComparedFile[],
): Promise<readonly LineCounts[]> {
  const present = files.filter(({ before, after }) => before !== null || after !== null);
  if (present.every(({ before, after }) => before?.id === after?.id)) return files.map(() => NONE);
  const key = JSON.stringify(present);
  const comparison = recent.get(key) ?? (await compareFiles(store, present));
  remember(key, comparison);
  return files.map(({ path }) => comparison.counts.get(path) ?? NONE);
}

/** The patch between two trees, if their files were compared lately. */
export function recallPatch({ before, after }: PairTrees): Buffer | null {
  const isWanted = ({ trees }: Comparison): boolean => trees.before === before && trees.after === after;
  return [...recent.values()].find(isWanted)?.patch ?? null;
}

export interface PairTrees {
  readonly before: string;
  readonly after: string;
}

interface Comparison {
  readonly counts: ReadonlyMap<string, LineCounts>;
  readonly trees: PairTrees;
  readonly patch: Buffer | null;
}

const RECENT_MAX = 2;
/** By the names and ids of the files, of any store. The same files are compared by the judge, by undo and by salvage. */
const recent = new Map<string, Comparison>();

function remember(key: string, comparison: Comparison): void {
  recent.delete(key);
  recent.set(key, comparison);
  for (const old of [...recent.keys()].slice(0, -RECENT_MAX)) recent.delete(old);
}

function compareFiles(store: ContentStore, files: readonly ComparedFile[]): Promise<Comparison> {
  refuseDamage(
    store,
    files.flatMap(({ before, after }) => [before, after].flatMap((side) => side?.id ?? [])),
  );
  return withTemporaryFolder(store.environment, async (folder) => {
    const objects = join(store.gitDir, "objects");
    const own = await createPrivateRepository(join(folder, "git"), { alternates: [objects] });
    const access = accessStore({ gitDir: own.gitDir, environment: store.environment });
    const trees = writeTrees(store, files, ({ path }) => path);
    await compareOnlyText(own);
    const sides = { from: trees.before, to: trees.after, bytesMax: PATCH_BYTES_MAX };
    const { differences, patch } = await readGitPatch(access, sides);
    const counts = new Map(
      differences.flatMap((one) => (one.counts === null ? [] : [[one.path, one.counts] as const])),
    );
    const others = new Set(differences.filter((one) => one.counts === null).map(({ path }) => path));
    if (others.size === 0) return { counts, trees, patch };
    const asText = await createPrivateRepository(join(folder, "text"), { alternates: [objects] });
    const counted = await countAsText(
      { ...access, gitDir: asText.gitDir, cwd: asText.gitDir },
      files.filter(({ path }) => others.has(path)),
    );
    return { counts: new Map([...counts, ...counted]), trees, patch };
  });
}

async function countAsText(
  access: GitAccess & { readonly gitDir: string },
  files: readonly ComparedFile[],
): Promise<readonly (readonly [string, LineCounts])[]> {
  const place = { gitDir: access.gitDir, redo: UNSAFE };
  const { before, after } = writeTrees(place, files, (_, index) => `${index}`);
  const compared = await listGitDifference(access, { from: before, to: after });
  return compared.map(({ path, counts }) => {
    if (counts === null) throw new MeasurementError("content store", "git would not compare a file line by line");
    return [files[Number(path)]?.path ?? "", counts];
  });
}

function writeTrees(
  place: Parameters<typeof storeTree>[0],
  files: readonly ComparedFile[],
  nameFile: (file: ComparedFile, index: number) => string,
): PairTrees {
  const tree = (side: "before" | "after"): string =>
    storeTree(
      place,
      files.flatMap((file, index): readonly StoredFile[] => {
        const content = file[side];
        if (content === null) return [];
        return [{ path: nameFile(file, index), mode: content.isExecutable ? "100755" : "100644", id: content.id }];
      }),
    );
  return { before: tree("before"), after: tree("after") };
}
