import type { TickEvent } from "../../src/contract/journal/event.ts";

/** One mutation that no check noticed. */
export const MUTATED: Extract<TickEvent, { type: "mutated" }> = {
  type: "mutated",
  skipped: null,
  checks: ["test"],
  possible: 9,
  tried: 8,
  out_of_time: false,
  survivors: [{ path: "src/price.js", line: 12, column: 5, operator: "comparison", before: ">", after: ">=" }],
  duration_ms: 1200,
};
