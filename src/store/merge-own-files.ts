/** Files that git's merge by lines would spoil: their owner merges them, everything else is git's. */
import { DURABLE } from "../git/filter-view.ts";
import { askGit, type GitAccess } from "../git/git.ts";
import type { GitSide } from "../git/git-difference.ts";
import type { ReadObject } from "../git/git-objects.ts";
import { readFileAt } from "../git/read-commit.ts";
import { putEntries } from "./put-entries.ts";
import type { MergedTrees, ThreeTrees, TreeConflict } from "./merge-trees.ts";

export interface OwnFileSides {
  readonly base: Buffer | null;
  readonly here: Buffer | null;
  readonly change: Buffer | null;
}

export interface OwnFiles {
  /** Byte strings. */
  readonly paths: readonly string[];
  readonly merge: (
    path: string,
    sides: OwnFileSides,
  ) =>
    { readonly kind: "text"; readonly text: string } | { readonly kind: "clash"; readonly problems: readonly string[] };
}

interface OwnMerge {
  /** With an index that may be overwritten. */
  readonly access: GitAccess;
  readonly read: ReadObject;
  readonly trees: ThreeTrees;
  readonly own: OwnFiles;
}

/** Replaces these files in what git made. */
export async function mergeOwnFiles(request: OwnMerge, merged: MergedTrees): Promise<MergedTrees> {
  const { read, trees, own } = request;
  const texts = new Map<string, string>();
  const clashes: Pick<TreeConflict, "paths" | "messages">[] = [];
  for (const path of own.paths) {
    const sides = await readSidesOf(read, trees, path);
    if (isPlain(sides)) continue;
    const made = own.merge(path, sides);
    if (made.kind === "text") texts.set(path, made.text);
    else clashes.push({ paths: [path], messages: made.problems.map((problem) => `CONFLICT in ${path}: ${problem}`) });
  }
  const others = merged.kind === "conflict" ? merged.paths.filter((path) => !own.paths.includes(path)) : [];
  if (others.length > 0 || clashes.length > 0)
    return {
      kind: "conflict",
      tree: merged.tree,
      paths: [...others, ...clashes.flatMap(({ paths }) => paths)],
      messages: [
        ...(merged.kind === "conflict" && others.length > 0 ? merged.messages : []),
        ...clashes.flatMap(({ messages }) => messages),
      ],
    };
  return {
    kind: "merged",
    tree: texts.size === 0 ? merged.tree : await replaceFiles(request.access, merged.tree, texts),
  };
}

/** One side left it alone, or both did the same: git's answer is right. */
function isPlain({ base, here, change }: OwnFileSides): boolean {
  return isEqual(base, change) || isEqual(base, here) || isEqual(here, change);
}

function isEqual(one: Buffer | null, other: Buffer | null): boolean {
  return one === null || other === null ? one === other : one.equals(other);
}

async function readSidesOf(read: ReadObject, { base, ours, theirs }: ThreeTrees, path: string): Promise<OwnFileSides> {
  return {
    base: await readFileAt(read, base, path),
    here: await readFileAt(read, ours, path),
    change: await readFileAt(read, theirs, path),
  };
}

async function replaceFiles(access: GitAccess, tree: string, texts: ReadonlyMap<string, string>): Promise<string> {
  const ask = (args: readonly string[], input?: Buffer) => askGit({ ...access, args: [...DURABLE, ...args], input });
  await ask(["read-tree", tree]);
  const entries: (GitSide & { readonly path: string })[] = [];
  for (const [path, text] of texts)
    entries.push({ path, mode: "100644", id: await ask(["hash-object", "-w", "--stdin"], Buffer.from(text)) });
  await putEntries(access, entries, DURABLE);
  return ask(["write-tree"]);
}
