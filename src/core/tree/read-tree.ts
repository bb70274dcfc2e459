/** Reads `tree.json` strictly: the shape, ids that occur once, and passes that follow from the children. */
import { parseWith } from "../../contract/schema/schema-error.ts";
import { Tree } from "../../contract/workflows/tree.ts";
import { parseDocument } from "../documents/parse-document.ts";

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
  const problems = inconsistencies(document.value);
  if (parsed.kind === "valid" && problems.length === 0) return { kind: "tree", tree: parsed.value };
  const shape = parsed.kind === "valid" ? [] : parsed.problems;
  return {
    kind: "invalid",
    problems: [...shape.map(({ path, message }) => ({ path, message })), ...problems],
  };
}

/**
 * What the shape alone does not tell, also of a tree whose shape is wrong elsewhere. A parent whose children all pass is
 * not among it: the runner derives that.
 */
function inconsistencies(document: unknown): readonly TreeProblem[] {
  const first = new Map<string, string>();
  const problems: TreeProblem[] = [];
  const visit = (value: unknown, path: string): void => {
    const { id, passes, children } = seen(value);
    const earlier = id === null ? undefined : first.get(id);
    if (earlier !== undefined)
      problems.push({
        path: `${path}.id`,
        message: `\`${path}.id\` is "${id}", which ${earlier} has already`,
      });
    else if (id !== null) first.set(id, path);
    const open = passes === true ? children.map(seen).find((child) => child.passes === false) : undefined;
    if (open !== undefined)
      problems.push({
        path: `${path}.passes`,
        message: `\`${path}.passes\` is true, and its child "${open.id}" is open`,
      });
    for (const [index, child] of children.entries()) visit(child, `${path}.children[${index}]`);
  };
  if (typeof document === "object" && document !== null && "root" in document) visit(document.root, "root");
  return problems;
}

/** As much of a node as anything can be said about. */
function seen(value: unknown): {
  readonly id: string | null;
  readonly passes: boolean | null;
  readonly children: readonly unknown[];
} {
  const node = typeof value === "object" && value !== null ? value : {};
  return {
    id: "id" in node && typeof node.id === "string" ? node.id : null,
    passes: "passes" in node && typeof node.passes === "boolean" ? node.passes : null,
    children: "children" in node && Array.isArray(node.children) ? node.children : [],
  };
}
