/**
 * Compares contents of the store line by line.
 *
 * Git compares trees, so two small trees are written with numbers as names: the real names never reach git.
 */
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { accessStore, type ContentStore } from "./content-store.ts";
import { runGit } from "../git/git.ts";
import { listGitDifference, type LineCounts } from "../git/git-difference.ts";

export interface BlobPair {
  readonly before: string | null;
  readonly after: string | null;
}

const NONE: LineCounts = { added: 0, deleted: 0, bytes: 0 };
const REFS = ["refs/relais/before", "refs/relais/after"] as const;

/** The counts in the order of the pairs; a pair of equal contents counts nothing. */
export async function storeComparison(store: ContentStore, pairs: readonly BlobPair[]): Promise<readonly LineCounts[]> {
  const differing = pairs.flatMap((pair, index) => (pair.before === pair.after ? [] : [{ pair, index }]));
  const counts = pairs.map(() => NONE);
  if (differing.length === 0) return counts;
  const tree = (side: "before" | "after"): string =>
    differing.flatMap(({ pair, index }) => (pair[side] === null ? [] : [`M 100644 ${pair[side]} ${index}\n`])).join("");
  const access = accessStore(store);
  await runGit({
    ...access,
    args: ["fast-import", "--quiet", "--force"],
    input: Buffer.from(`${renderCommit(REFS[0], tree("before"))}${renderCommit(REFS[1], tree("after"))}`),
  });
  for (const { path, counts: counted } of await listGitDifference(access, { from: REFS[0], to: REFS[1] })) {
    if (counted === null) throw new MeasurementError("content store", "git would not compare a file line by line");
    counts[Number(path)] = counted;
  }
  return counts;
}

/** One commit with exactly these entries, in the words of fast-import. */
function renderCommit(ref: string, entries: string): string {
  return `commit ${ref}\ncommitter relais <> 0 +0000\ndata 0\ndeleteall\n${entries}\n`;
}
