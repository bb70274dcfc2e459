import * as v from "valibot";
import { CommitId } from "../base/identifier.ts";
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
  /** The text at the place; absent where a path or a number says it all. */
  quote: v.exactOptional(v.string()),
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

const JudgedPlace = v.strictObject({
  /** `held` is a suspicion, which rests on text; `refused` is measured; a `note` stops nothing. */
  strength: v.picklist(["held", "refused", "note"]),
  /** The gate. */
  rule: v.string(),
  /** The kind or the glob, where there is one. */
  kind: v.nullable(v.string()),
  subject: v.string(),
  words: v.string(),
});
export type JudgedPlace = v.InferOutput<typeof JudgedPlace>;

/** What the judge found in one past commit: a line of the record of `relais judge --history`. Rates are counted from it. */
export const JudgedCommit = v.strictObject({
  commit: CommitId,
  files: Count,
  lines: Count,
  places: v.array(JudgedPlace),
});
export type JudgedCommit = v.InferOutput<typeof JudgedCommit>;
