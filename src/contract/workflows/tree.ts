/**
 * `tree.json`: the goal of a tree series, taken apart into nodes.
 *
 * Every field is required and no other is allowed, at every node. What belongs to the runner (`passes`, `attempts`,
 * `max_attempts`) is decided elsewhere; here is only the shape.
 */
import * as v from "valibot";
import { Count, Positive } from "../values/quantity.ts";

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
  /** Compared among siblings only; the id decides between equals. */
  order: v.pipe(v.number(), v.integer(), v.minValue(-LARGEST), v.maxValue(LARGEST)),
  title: Title,
  goal: Goal,
  acceptance: v.pipe(v.array(Criterion), v.maxLength(200)),
  /** Set by the runner alone. */
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
