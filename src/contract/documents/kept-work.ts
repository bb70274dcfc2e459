/**
 * What was kept of a tick besides its report: the work that was rolled back, or both sides of what was accepted.
 *
 * Content lies in the private judge repository under a ref of its own; this document says which paths it belongs to and
 * what was left out, and why.
 */
import * as v from "valibot";
import { AnyCode } from "../values/any-code.ts";
import { EntrySide } from "../evidence/evidence.ts";
import { RunId, Timestamp } from "../values/identifier.ts";
import { Count } from "../values/quantity.ts";

const Path = v.pipe(v.string(), v.minLength(1));

const KeptFile = v.strictObject({
  path: Path,
  /** The exact bytes, only where the name is not valid UTF-8. */
  path_base64: v.nullable(v.string()),
  /** A file or a link; null where there was nothing that git could hold. */
  before: v.nullable(EntrySide),
  after: v.nullable(EntrySide),
  /** False where `before` is what the index held, and nothing lay in the worktree. */
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
  /** How the tick ended. */
  code: AnyCode,
  files: v.array(KeptFile),
  /** The first of them; `left_out_total` counts all. */
  left_out: v.array(LeftOut),
  left_out_total: Count,
  /** Whether nothing is missing that a commit could hold, and no rule was broken on the way; absent is no. */
  whole: v.exactOptional(v.boolean()),
  /** What the tick changed that no commit holds, ignored files above all: both sides, and the content of the first. */
  besides: v.exactOptional(
    v.strictObject({ files: v.array(KeptFile), left_out: v.array(LeftOut), left_out_total: Count }),
  ),
});
export type KeptWork = v.InferOutput<typeof KeptWork>;
