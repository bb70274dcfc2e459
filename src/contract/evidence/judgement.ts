/** What the judge answers: a code, every finding behind it, and the size of the change. */
import * as v from "valibot";
import { CODES, type Code, type CodeOf } from "../values/codes.ts";

function isStop(code: Code): code is CodeOf<"stop"> {
  return CODES[code].verdict === "stop";
}

function codes(): Code[] {
  return Object.keys(CODES).filter((key): key is Code => key in CODES);
}

export const StopCode = v.picklist(codes().filter(isStop));

/** One reason for a refusal, with the thing it is about and the rule that decided. */
export const Finding = v.strictObject({
  gate: v.string(),
  code: StopCode,
  /** A path, a ref, a file of git, or the change as a whole. */
  subject: v.string(),
  /** One sentence that a person can act on. */
  rule: v.string(),
  /** The glob that decided, where one did. */
  glob: v.nullable(v.string()),
});
export type Finding = v.InferOutput<typeof Finding>;

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The file with the most changed lines. */
const LargestChange = v.strictObject({ path: v.string(), lines_added: Count, lines_deleted: Count });

export const BlastRadius = v.strictObject({
  files_touched: Count,
  lines_added: Count,
  lines_deleted: Count,
  new_files: Count,
  /** Absent where no line was changed, and in records that are older than it. */
  largest: v.exactOptional(LargestChange),
});
export type BlastRadius = v.InferOutput<typeof BlastRadius>;

export const Judgement = v.strictObject({
  verdict: v.picklist(["success", "stop"]),
  code: v.union([v.literal("SUCCESS"), StopCode]),
  cause: v.nullable(v.string()),
  findings: v.array(Finding),
  /** Seen and worth telling, but no reason to stop: remote-tracking refs, reported ignored files. */
  notes: v.array(v.string()),
  blast_radius: BlastRadius,
});
export type Judgement = v.InferOutput<typeof Judgement>;
