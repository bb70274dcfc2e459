/**
 * What was measured about one change: everything a verdict is made from, and nothing else.
 *
 * `judge` is a pure function of this document, so a recorded tick can be judged again at any time and must give the
 * same answer. Facts that would need the whole tree (a name that collides with another, a path inside a nested
 * repository) are measured when the evidence is taken and kept here as fields.
 */
import * as v from "valibot";
import { RecordVersion } from "../values/record-version.ts";

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));
const Glob = v.pipe(v.string(), v.minLength(1), v.maxLength(400));

/** One side of a changed entry, as lstat and a reader that follows nothing saw it. */
export const EntrySide = v.strictObject({
  type: v.picklist(["file", "directory", "symlink", "fifo", "socket", "device", "gitlink"]),
  /** The permission bits (07777) in octal, four digits. A git tree knows only 0644 and 0755. */
  mode: v.pipe(v.string(), v.regex(/^[0-7]{4}$/)),
  size: Count,
  /** Git blob id of the content or of the link text; null where there is none or it was too large to read. */
  id: v.nullable(v.string()),
  link_target: v.nullable(v.string()),
  hard_links: Count,
});
export type EntrySide = v.InferOutput<typeof EntrySide>;

export const Change = v.strictObject({
  /** The name as text. Bytes that are not UTF-8 are shown as `\xNN`. */
  path: v.string(),
  /** The exact bytes in base64, only where the name is not valid UTF-8. */
  path_base64: v.nullable(v.string()),
  before: v.nullable(EntrySide),
  after: v.nullable(EntrySide),
  /** False where git tracks the path and nothing lay there, as in a sparse checkout: `before` is what the index holds. */
  checked_out: v.exactOptional(v.literal(false)),
  /** By the index and the ignore rules as they were before the work began. */
  standing: v.picklist(["tracked", "untracked", "ignored"]),
  lines_added: Count,
  lines_deleted: Count,
  /** Bytes on both sides of the diff: what catches one enormous line. */
  bytes_changed: Count,
  /** The nested repository or submodule that holds this path. */
  inside_repository: v.nullable(v.string()),
  /** Another entry with the same name once case and normalisation are folded. */
  collides_with: v.nullable(v.string()),
  /** The entry could be read only after its permissions were lifted. */
  made_readable: v.boolean(),
});
export type Change = v.InferOutput<typeof Change>;

/** Where in git's own data a change lies. The gate decides which areas stop a tick. */
export const GitArea = v.picklist([
  "git_dir",
  "refs",
  "remote_refs",
  "stash",
  "reflog",
  "config",
  "hooks",
  "info",
  "index",
  "index_flags",
  "lock",
  "operation",
  "worktrees",
  "submodules",
  "objects",
  "noise",
  "other",
]);
export type GitArea = v.InferOutput<typeof GitArea>;

export const MetadataChange = v.strictObject({
  area: GitArea,
  /** A path below the git directory, or the name of a ref. */
  subject: v.string(),
  change: v.picklist(["added", "removed", "modified"]),
  detail: v.nullable(v.string()),
});
export type MetadataChange = v.InferOutput<typeof MetadataChange>;

export const Head = v.strictObject({
  /** The text of the HEAD file, trimmed. */
  text: v.string(),
  /** The commit it leads to; null on an unborn branch or where it cannot be resolved. */
  commit: v.nullable(v.string()),
});
export type Head = v.InferOutput<typeof Head>;

/** The rules in force: the configuration narrowed by the task. */
export const Rules = v.strictObject({
  task_kind: v.nullable(v.picklist(["execute", "verify_only", "question"])),
  allowed_globs: v.array(Glob),
  forbidden_globs: v.array(Glob),
  runner_owned_globs: v.array(Glob),
  allow_new_files: v.boolean(),
  allow_lockfile_changes: v.boolean(),
  lockfiles: v.array(v.string()),
  max_files_touched: v.nullable(Count),
  max_lines_changed: v.nullable(Count),
  ignored: v.picklist(["report", "forbid", "allow"]),
  ignored_writable_globs: v.array(Glob),
  /** Ignored files that checks start or load: no writable glob covers them. Absent is none. */
  ignored_guarded_globs: v.exactOptional(v.array(Glob)),
  /** What the configuration allows at most: a path must match one of these too. Absent where only the task decides. */
  ceiling_globs: v.exactOptional(v.array(Glob)),
  /** Whether work that changes nothing is refused; absent is no. */
  change_required: v.exactOptional(v.literal(true)),
});
export type Rules = v.InferOutput<typeof Rules>;

/** A builder that failed before anything was judged. */
export const BuilderFailure = v.strictObject({
  code: v.picklist([
    "STOP_BUILDER_TIMEOUT",
    "STOP_BUILDER_OUTPUT_INVALID",
    "STOP_INTERRUPTED",
    "STOP_OUTPUT_LIMIT",
    "STOP_TICK_TIMEOUT",
    "STOP_RATE_LIMITED",
    "STOP_PATCH_INVALID",
    "STOP_PATCH_APPLY_FAILED",
  ]),
  cause: v.string(),
});
export type BuilderFailure = v.InferOutput<typeof BuilderFailure>;

export const Evidence = v.strictObject({
  /** By the rules of this version it is judged, whenever that is. */
  version: RecordVersion,
  rules: Rules,
  builder_failure: v.nullable(BuilderFailure),
  /** Null where nothing was observed before: a range or a worktree judged on its own. */
  head: v.nullable(v.strictObject({ before: Head, after: Head })),
  metadata: v.array(MetadataChange),
  changes: v.array(Change),
  /** Entries of which nothing differs but the time of their last change: attributes or flags that cannot be compared. */
  attributes_touched: v.strictObject({ count: Count, paths: v.array(v.string()) }),
});
export type Evidence = v.InferOutput<typeof Evidence>;
