import type { Config } from "../../contract/config/config.ts";
import type { Tree } from "../../contract/workflows/tree.ts";
import type { TreeIteration } from "../../contract/workflows/tree-iteration.ts";
import type { MemoryDocument } from "./memory-documents.ts";
import type { Selection } from "./select-leaf.ts";

/** The name of the guard among the checks of an iteration. */
export const GUARD = "guard";

/** The settings of a tree with the guard of this series. */
export interface TreeSettings extends Omit<Config["tree"], "guard"> {
  readonly guard: readonly string[];
}

/** What an iteration begins with. */
export interface IterationFacts {
  readonly iterN: number;
  readonly kind: TreeIteration["kind"];
  /** The last valid tree, canonical. */
  readonly tree: Tree;
  readonly selection: Selection;
  readonly settings: TreeSettings;
  /** The runner's folder, from the root of the repository. */
  readonly workspace: string;
  readonly documents: Readonly<Record<MemoryDocument, string>>;
}
