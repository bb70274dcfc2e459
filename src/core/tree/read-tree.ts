/** Reads `tree.json` strictly: the shape, ids that occur once, and passes that follow from the children. */
import { parseWith } from "../../contract/schema-error.ts";
import { Tree } from "../../contract/tree.ts";
import { parseDocument } from "../parse-document.ts";
import { treeNodes } from "./tree-nodes.ts";

/** One thing that is wrong with a tree. */
export interface TreeProblem {
  /** `root.children[2].order`; empty for the document as a whole. */
  readonly path: string;
  /** A whole sentence without a full stop. */
  readonly message: string;
}

export type ReadTree =
  | { readonly kind: "tree"; readonly tree: Tree }
  | { readonly kind: "invalid"; readonly problems: readonly TreeProblem[] };

/** How many bytes a tree may have. */
export const TREE_BYTES_MAX = 64 * 1024 * 1024;

/** Each level of the tree is an object in a list; far more than any configured depth, and safe to walk by recursion. */
const LIMITS = { bytesMax: TREE_BYTES_MAX, depthMax: 2 * 100 };

export function readTree(data: Uint8Array): ReadTree {
  const document = parseDocument(data, LIMITS);
  if (document.kind === "broken")
    return { kind: "invalid", problems: [{ path: "", message: `it ${document.problem}` }] };
  const parsed = parseWith(Tree, document.value);
  if (parsed.kind === "invalid")
    return {
      kind: "invalid",
      problems: parsed.problems.map(({ path, message }) => ({ path, message })),
    };
  const problems = inconsistencies(parsed.value);
  return problems.length === 0 ? { kind: "tree", tree: parsed.value } : { kind: "invalid", problems };
}

/** What the shape alone does not tell. A parent whose children all pass is not among it: the runner derives that. */
function inconsistencies(tree: Tree): readonly TreeProblem[] {
  const first = new Map<string, string>();
  return treeNodes(tree).flatMap(({ node, path }) => {
    const problems: TreeProblem[] = [];
    const earlier = first.get(node.id);
    if (earlier === undefined) first.set(node.id, path);
    else
      problems.push({
        path: `${path}.id`,
        message: `\`${path}.id\` is "${node.id}", which ${earlier} has already`,
      });
    const open = node.passes ? node.children.find(({ passes }) => !passes) : undefined;
    if (open !== undefined)
      problems.push({
        path: `${path}.passes`,
        message: `\`${path}.passes\` is true, and its child "${open.id}" is open`,
      });
    return problems;
  });
}
