import type { Tree, TreeNode } from "../../records/tree.ts";
import { reportIteration } from "../../tick/pure/report-parts.ts";
import type { TickRecord } from "../../tick/pure/tick-records.ts";
import { selectLeaf } from "../../workflows/pure/tree-nodes.ts";
import { canonicaliseTree } from "../../workflows/pure/tree-nodes.ts";
import type { PageTone, TreeLeaf } from "./page-documents.ts";

type Tries = ReadonlyMap<string, TreeLeaf["tries"]>;

const TONES: Readonly<Record<string, PageTone>> = { passed: "good", attempt: "calm", planned: "calm" };
const WORDS: Readonly<Record<string, string>> = { passed: "passed", attempt: "not yet", planned: "split" };

/** The tree as it is now, each node with the iterations that worked on it. */
export function drawTree(tree: Tree, records: readonly TickRecord[]): TreeLeaf {
  const canonical = canonicaliseTree(tree);
  const next = selectLeaf(canonical)?.leaf.id ?? null;
  return makeLeaf(canonical.root, next, listTries(records));
}

function listTries(records: readonly TickRecord[]): Tries {
  const tries = new Map<string, TreeLeaf["tries"]>();
  for (const { runId, state } of records) {
    const { iteration } = reportIteration(state);
    if (iteration === undefined) continue;
    const { selected_leaf_id: id, iter_n, outcome } = iteration;
    const one = { runId, tone: TONES[outcome] ?? "calm", words: `iteration ${iter_n}: ${WORDS[outcome] ?? outcome}` };
    tries.set(id, [...(tries.get(id) ?? []), one]);
  }
  return tries;
}

function makeLeaf(node: TreeNode, next: string | null, tries: Tries): TreeLeaf {
  const { id, title, passes, attempts, max_attempts, acceptance, children } = node;
  return {
    id,
    title,
    passes,
    isNext: id === next,
    attempts,
    maxAttempts: max_attempts,
    acceptance,
    tries: tries.get(id) ?? [],
    children: children.map((child) => makeLeaf(child, next, tries)),
  };
}
