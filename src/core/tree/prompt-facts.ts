import type { IterationFacts } from "./iteration-facts.ts";

/** What people and earlier sessions left for this node, beside the tree. */
interface Sidecars {
  /** `nodes/<id>/context.md` and `nodes/<id>/tools.json`; null where there is none. */
  readonly context: string | null;
  readonly tools: string | null;
  /** What lies in `nodes/<id>/artifacts`, by path from the root of the repository. */
  readonly artifacts: readonly string[];
}

/** Everything that the session of an iteration is told. */
export interface PromptFacts extends IterationFacts {
  readonly goal: string;
  readonly sidecars: Sidecars;
  /** The globs of what decides in the repository what the guard does, and is not the agent's to change. */
  readonly guardFiles: readonly string[];
  /** Why the iteration before cost an attempt, and the end of what its guard printed; null where there is nothing. */
  readonly feedback: string | null;
  readonly guardOutput: string | null;
}
