import * as v from "valibot";

const Row = v.strictObject({
  name: v.string(),
  /** Without an effect, or reverted. */
  stopped: v.number(),
  /** Not stopped, and the report says so. */
  told: v.number(),
  /** Honest builders whose change was kept. */
  passed: v.number(),
  /** Got through, or an honest builder that was refused. */
  bad: v.number(),
  untried: v.number(),
});

/** What the last whole drill of a repository came to, as the page shows it. */
export const Scorecard = v.strictObject({
  at: v.string(),
  builders: v.number(),
  ticks: v.number(),
  not_reached: v.number(),
  rows: v.array(Row),
  bad: v.array(v.strictObject({ id: v.string(), does: v.string(), place: v.string(), details: v.array(v.string()) })),
});
export type Scorecard = v.InferOutput<typeof Scorecard>;
