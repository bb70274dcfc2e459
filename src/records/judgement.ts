import * as v from "valibot";
import { CODES, type Code, type CodeOf } from "../base/codes.ts";

function isStop(code: Code): code is CodeOf<"stop"> {
  return CODES[code].verdict === "stop";
}

function codes(): Code[] {
  return Object.keys(CODES).filter((key): key is Code => key in CODES);
}

export const StopCode = v.picklist(codes().filter(isStop));

export const Finding = v.strictObject({
  gate: v.string(),
  code: StopCode,
  /** A path, a ref, a file of git, or the change as a whole. */
  subject: v.string(),
  rule: v.string(),
  glob: v.nullable(v.string()),
});
export type Finding = v.InferOutput<typeof Finding>;

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

const LargestChange = v.strictObject({ path: v.string(), lines_added: Count, lines_deleted: Count });

export const BlastRadius = v.strictObject({
  files_touched: Count,
  lines_added: Count,
  lines_deleted: Count,
  new_files: Count,
  /** Absent if no line changed. */
  largest: v.exactOptional(LargestChange),
});
export type BlastRadius = v.InferOutput<typeof BlastRadius>;

export const Judgement = v.strictObject({
  verdict: v.picklist(["success", "stop"]),
  code: v.union([v.literal("SUCCESS"), StopCode]),
  cause: v.nullable(v.string()),
  findings: v.array(Finding),
  /** No reason to stop: remote-tracking refs, reported ignored files. */
  notes: v.array(v.string()),
  blast_radius: BlastRadius,
});
export type Judgement = v.InferOutput<typeof Judgement>;
