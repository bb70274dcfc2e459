/**
 * `tree.json`: the goal of a tree series as nodes. Every field is required and no other is allowed. Only the shape is
 * checked here, not `passes`, `attempts` and `max_attempts`, which the runner sets.
 */
import * as v from "valibot";
import { Count, Positive } from "../base/quantity.ts";

/** The id of the check that decides about a leaf. */
export const GUARD = "guard";

/** A node's id names the folder of its sidecar files, so it is limited to what is safe as a file name. */
const NodeId = v.pipe(
  v.string(),
  v.regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?$/,
    "an id is 1 to 64 letters, digits, `.`, `-` and `_`, begins with a letter or digit and does not end with a dot",
  ),
);
const Title = v.pipe(v.string(), v.minLength(1), v.maxLength(400));
const Goal = v.pipe(v.string(), v.minLength(1), v.maxLength(20_000));
const Criterion = v.pipe(v.string(), v.minLength(1), v.maxLength(4000));
const LARGEST = 9_007_199_254_740_991;

const fields = {
  id: NodeId,
  order: v.pipe(v.number(), v.integer(), v.minValue(-LARGEST), v.maxValue(LARGEST)),
  title: Title,
  goal: Goal,
  acceptance: v.pipe(v.array(Criterion), v.maxLength(200)),
  /** Only the runner sets it. */
  passes: v.boolean(),
  attempts: Count,
  max_attempts: Positive,
};

export interface TreeNode {
  readonly id: string;
  readonly order: number;
  readonly title: string;
  readonly goal: string;
  readonly acceptance: readonly string[];
  readonly passes: boolean;
  readonly attempts: number;
  readonly max_attempts: number;
  readonly children: readonly TreeNode[];
}

const Node: v.GenericSchema<TreeNode> = v.strictObject({
  ...fields,
  children: v.array(v.lazy(() => Node)),
});

export const Tree = v.strictObject({ version: v.literal(1), root: Node });
export type Tree = v.InferOutput<typeof Tree>;

/** As its program names it, perhaps with a rule in parentheses; a comma outside of them would make two. */
const Tool = v.pipe(
  v.string(),
  v.maxLength(200),
  v.regex(
    /^[A-Za-z][\w.-]*(?:\([^()\n\r]+\))?$/,
    "a tool is a name, like `Read`, or one with a rule, like `Bash(just *)`",
  ),
);

/** `nodes/<id>/tools.json`: the tools of one leaf's session, among those that it would have anyway. */
export const NodeTools = v.strictObject({
  allowed_tools: v.pipe(v.array(Tool), v.minLength(1), v.maxLength(64)),
});

/** What the agent of an iteration says about it. Only `done`, a change and a green guard together make a node pass. */
export const TreeResult = v.strictObject({
  status: v.picklist(["done", "retry", "decomposed"]),
  summary: v.pipe(v.string(), v.minLength(1), v.maxLength(800)),
});
export type TreeResult = v.InferOutput<typeof TreeResult>;
