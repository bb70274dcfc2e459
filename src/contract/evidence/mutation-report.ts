import * as v from "valibot";
import { Count, Seconds } from "../values/quantity.ts";

const Survivor = v.strictObject({
  path: v.string(),
  line: Count,
  column: Count,
  operator: v.string(),
  before: v.string(),
  after: v.string(),
});
export type Survivor = v.InferOutput<typeof Survivor>;

/** Small mutations of a change, and those that no check noticed. */
export const MutationReport = v.strictObject({
  /** Why none was tried; null if some were. */
  skipped: v.nullable(v.string()),
  checks: v.array(v.string()),
  /** How many the changed lines allow. */
  possible: Count,
  tried: Count,
  /** Whether the time ended before the sample was tried. */
  out_of_time: v.boolean(),
  survivors: v.array(Survivor),
});
export type MutationReport = v.InferOutput<typeof MutationReport>;

/** In one tick. */
export const MUTATIONS_MAX = 100;

/** The bounds of the mutations of a tick. */
export const MutationBounds = v.strictObject({ count: Count, seconds: Seconds });

/** The mutations of a tick, with their cost in time. */
export const TickMutation = v.strictObject({ ...MutationReport.entries, duration_ms: Count });
export type TickMutation = v.InferOutput<typeof TickMutation>;
