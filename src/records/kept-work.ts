/**
 * The kept work of a tick: the reverted change, or both sides of an accepted one. The content is in the private judge
 * repository under its own ref; this document lists its paths, and what was left out and why.
 */
import * as v from "valibot";
import { AnyCode } from "../base/any-code.ts";
import { EntrySide } from "./evidence.ts";
import { RunId, Timestamp } from "../base/identifier.ts";
import { Task } from "./task.ts";
import { Count } from "../base/quantity.ts";

const Path = v.pipe(v.string(), v.minLength(1));

const KeptFile = v.strictObject({
  path: Path,
  /** The exact bytes, only if the name is not valid UTF-8. */
  path_base64: v.nullable(v.string()),
  /** Null if there was nothing that git could store. */
  before: v.nullable(EntrySide),
  after: v.nullable(EntrySide),
  /** False if `before` comes from the index and the worktree had no such file. */
  checked_out: v.exactOptional(v.literal(false)),
});
export type KeptFile = v.InferOutput<typeof KeptFile>;

const LeftOut = v.strictObject({
  path: Path,
  reason: v.picklist(["ignored", "forbidden", "runner_owned", "nested_repository", "name", "type", "size"]),
});
export type LeftOut = v.InferOutput<typeof LeftOut>;

export const KeptWork = v.strictObject({
  version: v.literal(1),
  kind: v.picklist(["salvage", "accepted"]),
  run_id: RunId,
  kept_at: Timestamp,
  code: AnyCode,
  files: v.array(KeptFile),
  left_out: v.array(LeftOut),
  left_out_total: Count,
  /** Whether nothing that a commit could hold is missing, and no rule was broken; absent is no. */
  whole: v.exactOptional(v.boolean()),
  /** What it was made for, if the journal of this repository does not know the run. */
  task: v.exactOptional(Task),
  /** Changes that no commit holds, mostly ignored files: both sides, and the content before. */
  besides: v.exactOptional(
    v.strictObject({ files: v.array(KeptFile), left_out: v.array(LeftOut), left_out_total: Count }),
  ),
});
export type KeptWork = v.InferOutput<typeof KeptWork>;
