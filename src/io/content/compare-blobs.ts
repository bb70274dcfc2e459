/**
 * Compares contents of the store line by line.
 *
 * Git compares trees, so two small trees are written with numbers as names: the real names never reach git. They are
 * gone with their folder.
 */
import { join } from "node:path";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { accessStore, type ContentStore } from "./content-store.ts";
import { createPrivateRepository } from "../git/private-repository.ts";
import { withTemporaryFolder } from "../files/temporary-folder.ts";
import { UNSAFE } from "../files/redo-log.ts";
import { storeTree } from "./tree-objects.ts";
import { listGitDifference, type LineCounts } from "../git/git-difference.ts";

export interface BlobPair {
  readonly before: string | null;
  readonly after: string | null;
}

const NONE: LineCounts = { added: 0, deleted: 0, bytes: 0 };
/** The counts in the order of the pairs; a pair of equal contents counts nothing. */
export async function storeComparison(store: ContentStore, pairs: readonly BlobPair[]): Promise<readonly LineCounts[]> {
  const differing = pairs.flatMap((pair, index) => (pair.before === pair.after ? [] : [{ pair, index }]));
  const counts = pairs.map(() => NONE);
  if (differing.length === 0) return counts;
  const key = JSON.stringify(differing);
  const known = lastComparisons.get(store);
  const compared = known?.key === key ? known.compared : await compareSides(store, differing);
  lastComparisons.set(store, { key, compared });
  for (const { path, counts: counted } of compared) {
    if (counted === null) throw new MeasurementError("content store", "git would not compare a file line by line");
    counts[Number(path)] = counted;
  }
  return counts;
}

type Compared = Awaited<ReturnType<typeof listGitDifference>>;

/** The same contents are often compared again, by the judge and by salvage. */
const lastComparisons = new WeakMap<ContentStore, { readonly key: string; readonly compared: Compared }>();

interface DifferingPair {
  readonly pair: BlobPair;
  readonly index: number;
}

function compareSides(store: ContentStore, differing: readonly DifferingPair[]): Promise<Compared> {
  return withTemporaryFolder(store.environment, async (folder) => {
    const objects = join(store.gitDir, "objects");
    const { gitDir } = await createPrivateRepository(join(folder, "git"), { alternates: [objects] });
    const tree = (side: "before" | "after"): string =>
      storeTree(
        { gitDir, redo: UNSAFE },
        differing.flatMap(({ pair, index }) => {
          const id = pair[side];
          return id === null ? [] : [{ path: `${index}`, mode: "100644", id }];
        }),
      );
    const sides = { from: tree("before"), to: tree("after") };
    return listGitDifference(accessStore({ gitDir, environment: store.environment }), sides);
  });
}
