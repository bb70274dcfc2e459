import { CONFIG_NAME } from "../config/config.ts";
import { MeasurementError } from "../base/measurement-error.ts";
import type { GitDifference } from "../git/git-difference.ts";
import type { GitObject, ReadObject } from "../git/git-objects.ts";
import { parseTree } from "../git/tree-listing.ts";

/** A file at the root of a commit. */
export type CommittedFile =
  | { readonly kind: "absent" }
  | { readonly kind: "file"; readonly content: Buffer }
  /** An entry of that name that is not a readable file. */
  | { readonly kind: "unusable"; readonly reason: string };

const CONFIG_BYTES_MAX = 1024 * 1024;
const TREE_BYTES_MAX = 256 * 1024 * 1024;
const LINK_BYTES_MAX = 64 * 1024;
const RULES_ROOT = "the root of the commit with the rules";

/** By id: the content of every changed file, measured; kept only for links. */
export async function measureContents(
  read: ReadObject,
  differences: readonly GitDifference[],
): Promise<ReadonlyMap<string, GitObject>> {
  const keptBytes = new Map<string, number>();
  for (const side of differences.flatMap(({ before, after }) => [before, after])) {
    if (side !== null && side.mode !== "160000") {
      keptBytes.set(side.id, Math.max(side.mode === "120000" ? LINK_BYTES_MAX : 0, keptBytes.get(side.id) ?? 0));
    }
  }
  const pairs = [...keptBytes].map(async ([id, bytesMax]) => [id, await read(id, bytesMax)] as const);
  return new Map(await Promise.all(pairs));
}

/** Follows the tree itself: git answers "missing" for a name that is not there and for content that is lost alike. */
export async function readRulesFile(read: ReadObject, commit: string): Promise<CommittedFile> {
  const tree = await read(`${commit}^{tree}`, TREE_BYTES_MAX);
  if (tree.content === null) throw new MeasurementError(RULES_ROOT, "is too large to read");
  const entry = parseTree(tree.content, commit.length / 2, RULES_ROOT).find(({ name }) => name === CONFIG_NAME) ?? null;
  if (entry === null) return { kind: "absent" };
  if (!entry.mode.startsWith("100")) return { kind: "unusable", reason: "it is not an ordinary file" };
  const { content } = await read(entry.id, CONFIG_BYTES_MAX);
  return content === null
    ? { kind: "unusable", reason: `it is larger than ${CONFIG_BYTES_MAX} bytes` }
    : { kind: "file", content };
}
