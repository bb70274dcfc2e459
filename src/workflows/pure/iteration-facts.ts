import type { Config } from "../../config/config.ts";
import type { Tree } from "../../records/tree.ts";
import type { TreeIteration } from "../../records/tree-iteration.ts";
import type { Selection } from "./tree-nodes.ts";
import type { Judged } from "../../tick/pure/tick-state.ts";

export interface TreeSettings extends Omit<Config["tree"], "guard"> {
  readonly guard: readonly string[];
}

export interface IterationFacts {
  readonly iterN: number;
  readonly kind: TreeIteration["kind"];
  readonly tree: Tree;
  readonly selection: Selection;
  readonly settings: TreeSettings;
  readonly workspace: string;
  readonly documents: Readonly<Record<MemoryDocument, string>>;
}

/** How one session informs the next. Only people write GOAL.md. */
export const MEMORY_DOCUMENTS = ["HUMAN_QUESTIONS.md", "ASSUMPTIONS.md", "FEEDBACK_LOG.md", "IMPROVEMENTS.md"] as const;

type MemoryDocument = (typeof MEMORY_DOCUMENTS)[number];

export const DOCUMENT_BYTES_MAX = 256 * 1024;

interface Sidecars {
  /** `nodes/<id>/context.md` and `nodes/<id>/tools.json`. */
  readonly context: string | null;
  readonly tools: string | null;
  /** The paths in `nodes/<id>/artifacts`. */
  readonly artifacts: readonly string[];
}

export interface PromptFacts extends IterationFacts {
  readonly goal: string;
  readonly sidecars: Sidecars;
  /** The files that decide what the guard does; the agent may not change them. */
  readonly guardFiles: readonly string[];
  /** Why the last iteration cost an attempt, and the last output of its guard. */
  readonly feedback: string | null;
  readonly guardOutput: string | null;
}

/** A change outside the workspace is work; everything else was planning. */
export function classify(
  { workspace }: Pick<IterationFacts, "workspace">,
  { judged }: Pick<Judged, "judged">,
): TreeIteration["classification"] {
  const { touched_paths: paths, touched_paths_total: total } = judged;
  // A long list is cut. Nobody plans with so many files, so unlisted paths count as work.
  const isWork = total > paths.length || paths.some((path) => !path.startsWith(`${workspace}/`));
  return isWork ? "execute" : "decompose";
}
