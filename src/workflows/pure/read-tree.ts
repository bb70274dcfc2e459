/** Reads `tree.json` strictly: its shape, unique ids, and passes that agree with the children. */
import { parseWith } from "../../base/schema-error.ts";
import { Tree, NodeTools } from "../../records/tree.ts";
import { parseDocument } from "../../base/strict-json.ts";

export interface TreeProblem {
  readonly path: string;
  readonly message: string;
}

export type ReadTree =
  | { readonly kind: "tree"; readonly tree: Tree }
  | { readonly kind: "invalid"; readonly problems: readonly TreeProblem[] };

export const TREE_BYTES_MAX = 64 * 1024 * 1024;

/** Each level is an object in a list. More than any configured depth, and safe for recursion. */
const LIMITS = { bytesMax: TREE_BYTES_MAX, depthMax: 2 * 100 };

/** The last ones that were read: a step reads the same tree again and again, and a large one takes seconds. */
const recent: { readonly data: Uint8Array; readonly read: ReadTree }[] = [];
const RECENT_MAX = 2;

export function readTree(data: Uint8Array): ReadTree {
  const known = recent.find((one) => isSame(one.data, data));
  if (known !== undefined) return known.read;
  const read = readAnew(data);
  recent.unshift({ data, read });
  recent.length = Math.min(recent.length, RECENT_MAX);
  return read;
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && Buffer.compare(one, other) === 0;
}

function readAnew(data: Uint8Array): ReadTree {
  const document = parseDocument(data, LIMITS);
  if (document.kind === "broken")
    return { kind: "invalid", problems: [{ path: "", message: `it ${document.problem}` }] };
  const parsed = parseWith(Tree, document.value);
  const problems = findInconsistencies(document.value);
  if (parsed.kind === "valid" && problems.length === 0) return { kind: "tree", tree: parsed.value };
  const shape = parsed.kind === "valid" ? [] : parsed.problems;
  return {
    kind: "invalid",
    problems: [...shape.map(({ path, message }) => ({ path, message })), ...problems],
  };
}

/**
 * What the schema cannot check, also in a tree whose shape is wrong elsewhere. A parent whose children all pass is
 * accepted: the runner derives its `passes`.
 */
function findInconsistencies(document: unknown): readonly TreeProblem[] {
  const first = new Map<string, string>();
  const problems: TreeProblem[] = [];
  const visit = (value: unknown, path: string): void => {
    const { id, passes, children } = readNode(value);
    const earlier = id === null ? undefined : first.get(id);
    if (earlier !== undefined)
      problems.push({
        path: `${path}.id`,
        message: `\`${path}.id\` is "${id}", which ${earlier} has already`,
      });
    else if (id !== null) first.set(id, path);
    const open = passes === true ? children.map(readNode).find((child) => child.passes === false) : undefined;
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

function readNode(value: unknown): {
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

type ReadNodeTools =
  /** Null if the leaf has no list of its own. */
  | { readonly kind: "tools"; readonly tools: readonly string[] | null }
  | { readonly kind: "invalid"; readonly problem: string };

/** Strict, because an unreadable list must not mean "no restriction". */
export function readNodeTools(text: string | null): ReadNodeTools {
  if (text === null) return { kind: "tools", tools: null };
  const document = parseDocument(new TextEncoder().encode(text));
  if (document.kind === "broken") return { kind: "invalid", problem: `it ${document.problem}` };
  const read = parseWith(NodeTools, document.value);
  if (read.kind === "valid") return { kind: "tools", tools: read.value.allowed_tools };
  return { kind: "invalid", problem: read.problems[0]?.message ?? "it is not valid" };
}
