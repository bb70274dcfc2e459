import { MeasurementError } from "../base/errors.ts";
import { commitTree } from "../git/commit-tree.ts";
import { askGit, type GitAccess, runGit } from "../git/git.ts";
import { DURABLE } from "../git/filter-view.ts";
import type { GitSide } from "../git/git-difference.ts";
import type { ReadObject } from "../git/git-objects.ts";
import { readFileAt } from "../git/read-commit.ts";
import { putEntries } from "./private-index.ts";

/**
 * Merges two trees with a common one, in git's own way and without a working tree.
 *
 * Configuration and attributes are those of a private repository: no merge driver of the user runs, nothing is learnt
 * from earlier conflicts, and nothing but objects is written.
 */

export interface ThreeTrees {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

export type MergedTrees = { readonly kind: "merged"; readonly tree: string } | TreeConflict;

export interface TreeConflict {
  readonly kind: "conflict";
  /** With both sides in each file, between markers. */
  readonly tree: string;
  /** Byte strings. */
  readonly paths: readonly string[];
  /** Git's own sentences. */
  readonly messages: readonly string[];
}

const NOBODY = { name: "relais", email: "relais@localhost" };
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
/** Git's status for an option that it does not know. */
const USAGE = 129;
const MERGE = ["-c", "merge.conflictStyle=merge", "merge-tree", "--write-tree", "-z", "--name-only", "--messages"];

/** The trees may be named by their commits. */
export async function mergeTrees(access: GitAccess, { base, ours, theirs }: ThreeTrees): Promise<MergedTrees> {
  if (theirs === base || theirs === ours) return { kind: "merged", tree: await findTree(access, ours) };
  if (ours === base) return { kind: "merged", tree: await findTree(access, theirs) };
  // Git finds the common tree by history, so each side gets one.
  const common = await writeSide(access, base, null);
  const sides = [await writeSide(access, ours, common), await writeSide(access, theirs, common)];
  const { stdout, status } = await runGit({
    ...access,
    args: [...MERGE, ...sides],
    okStatuses: [0, 1, USAGE],
    outputBytesMax: OUTPUT_BYTES_MAX,
  });
  if (status === USAGE)
    throw new MeasurementError("git merge-tree", "cannot merge trees; this needs git 2.38 or later");
  const fields = stdout.toString("latin1").split("\0");
  const [tree = ""] = fields;
  if (!/^[0-9a-f]{40,64}$/.test(tree)) throw new MeasurementError("git merge-tree", "did not answer with a tree");
  return status === 0 ? { kind: "merged", tree } : { kind: "conflict", tree, ...readConflict(fields.slice(1)) };
}

function findTree(access: GitAccess, name: string): Promise<string> {
  return askGit({ ...access, args: ["rev-parse", "--verify", `${name}^{tree}`] });
}

/** Nobody needs it once the trees are merged, so it may be lost. */
function writeSide(access: GitAccess, tree: string, parent: string | null): Promise<string> {
  return commitTree(access, { tree: `${tree}^{tree}`, parent, message: "side\n", identity: NOBODY }, []);
}

/** The names of the files, an empty field, and then each message: how many names, the names, its kind, its text. */
function readConflict(fields: readonly string[]): Pick<TreeConflict, "paths" | "messages"> {
  const end = fields.indexOf("");
  const paths = [...new Set(fields.slice(0, end))];
  const messages: string[] = [];
  for (let at = end + 1; at < fields.length - 1;) {
    const names = Number(fields[at]);
    if (!Number.isSafeInteger(names)) break;
    const [kind = "", text = ""] = fields.slice(at + 1 + names, at + 3 + names);
    if (kind.startsWith("CONFLICT")) messages.push(Buffer.from(text, "latin1").toString("utf8").trim());
    at += names + 3;
  }
  return { paths, messages };
}

/** Files that git's merge by lines would spoil: their owner merges them, everything else is git's. */

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
