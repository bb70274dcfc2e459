/**
 * The measurements of one change: all that a judgement rests on. `judge` is a pure function of this document, so a
 * recorded tick can be judged again and must give the same result. Facts that need the whole tree (a colliding name, a
 * nested repository) are measured with the evidence and kept as fields.
 */
import * as v from "valibot";
import { CheckRule, RuleSettings } from "../base/check-rules.ts";
import { RecordVersion } from "../base/record-version.ts";

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));
const Glob = v.pipe(v.string(), v.minLength(1), v.maxLength(400));

/** One side of a changed entry, by lstat, with no link followed. */
export const EntrySide = v.strictObject({
  type: v.picklist(["file", "directory", "symlink", "fifo", "socket", "device", "gitlink"]),
  /** The permission bits (07777) in octal, four digits. A git tree knows only 0644 and 0755. */
  mode: v.pipe(v.string(), v.regex(/^[0-7]{4}$/)),
  size: Count,
  /** The git blob id of the content or link text; null if there is none or it was too large to read. */
  id: v.nullable(v.string()),
  link_target: v.nullable(v.string()),
  hard_links: Count,
});
export type EntrySide = v.InferOutput<typeof EntrySide>;

export const Change = v.strictObject({
  path: v.string(),
  /** The exact bytes in base64, only if the name is not valid UTF-8. */
  path_base64: v.nullable(v.string()),
  before: v.nullable(EntrySide),
  after: v.nullable(EntrySide),
  /** False if git tracks the path and the worktree had no such file, as in a sparse checkout: `before` is from the index. */
  checked_out: v.exactOptional(v.literal(false)),
  /** By the index and the ignore rules before the build. */
  standing: v.picklist(["tracked", "untracked", "ignored"]),
  lines_added: Count,
  lines_deleted: Count,
  /** On both sides of the diff. Catches one enormous line. */
  bytes_changed: Count,
  inside_repository: v.nullable(v.string()),
  /** Another entry with the same name after folding case and normalisation. */
  collides_with: v.nullable(v.string()),
  made_readable: v.boolean(),
  /** The forbidden file whose content, or a secret part of it, is new at this path. */
  forbidden_content: v.exactOptional(v.strictObject({ of: v.string(), whole: v.boolean() })),
  /** Keys of known providers in new lines, by the rule of the public list. */
  credentials: v.exactOptional(v.array(v.strictObject({ rule: v.string(), line: Count }))),
  /** Places that weaken the checks, with what happens unless the rules say otherwise. */
  weakened: v.exactOptional(
    v.array(
      v.strictObject({
        rule: CheckRule,
        kind: v.string(),
        line: Count,
        text: v.string(),
        default: v.picklist(["stop", "hold", "note"]),
      }),
    ),
  ),
});
export type Change = v.InferOutput<typeof Change>;

/** The gate decides which areas stop a tick. */
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
  /** Null on an unborn branch or if it cannot be resolved. */
  commit: v.nullable(v.string()),
});
export type Head = v.InferOutput<typeof Head>;

/** The configuration, narrowed by the task. */
export const Rules = v.strictObject({
  task_kind: v.nullable(v.picklist(["execute", "verify_only", "question"])),
  allowed_globs: v.array(Glob),
  forbidden_globs: v.array(Glob),
  /** Those of the forbidden globs that relais has by itself and that nobody wrote; absent: none. */
  protected_globs: v.exactOptional(v.array(Glob)),
  /** Those of them that hold a change for a person, where no other forbidden glob matches; absent: none. */
  held_globs: v.exactOptional(v.array(Glob)),
  /** Protected paths that a person allowed by name. */
  lifted_paths: v.exactOptional(v.array(v.string())),
  runner_owned_globs: v.array(Glob),
  allow_new_files: v.boolean(),
  allow_lockfile_changes: v.boolean(),
  lockfiles: v.array(v.string()),
  max_files_touched: v.nullable(Count),
  max_lines_changed: v.nullable(Count),
  ignored: v.picklist(["report", "forbid", "allow"]),
  ignored_writable_globs: v.array(Glob),
  /** Ignored files that checks start or load; no writable glob covers them. */
  ignored_guarded_globs: v.exactOptional(v.array(Glob)),
  /** Forbidden files whose content must not appear at another path; absent: all forbidden ones. */
  sealed_globs: v.exactOptional(v.array(Glob)),
  /** The most that the configuration allows: a path must match one of these too. Absent if only the task decides. */
  ceiling_globs: v.exactOptional(v.array(Glob)),
  change_required: v.exactOptional(v.literal(true)),
  /** Suspicions that a person saw and accepted: each lifts one finding, at any line. */
  accepted: v.exactOptional(
    v.array(v.strictObject({ gate: v.string(), subject: v.string(), quote: v.exactOptional(v.string()) })),
  ),
  /** What a person had not committed when the tick began: a change of it is held. Absent: nothing. */
  uncommitted_paths: v.exactOptional(v.array(v.string())),
  /** Suspicions of text are notes; absent: they hold. A path that starts programs holds in any case. */
  suspicions: v.exactOptional(v.literal("note")),
  /** How weakened checks are found, and the rules that are set. Absent if nobody looks for them. */
  weakening: v.exactOptional(
    v.strictObject({
      test_globs: v.array(Glob),
      settings_globs: v.array(Glob),
      rules: RuleSettings,
      /** What the task asks for: it tells what code may know, and what must change. */
      task_text: v.exactOptional(v.string()),
    }),
  ),
});
export type Rules = v.InferOutput<typeof Rules>;

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
    "STOP_DIFF_TOO_LARGE",
    /** The builder gave the task back. */
    "STOP_QUESTION",
  ]),
  cause: v.string(),
});
export type BuilderFailure = v.InferOutput<typeof BuilderFailure>;

export const Evidence = v.strictObject({
  version: RecordVersion,
  rules: Rules,
  builder_failure: v.nullable(BuilderFailure),
  /** Null if there was no observation before: a range or a worktree judged on its own. */
  head: v.nullable(v.strictObject({ before: Head, after: Head })),
  metadata: v.array(MetadataChange),
  changes: v.array(Change),
  /** Entries that differ only in the time of their last change: attributes or flags that cannot be compared. */
  attributes_touched: v.strictObject({ count: Count, paths: v.array(v.string()) }),
  /** Files beside the change that are too large to be compared with it. */
  not_compared: v.exactOptional(v.array(v.string())),
  /** Set if more is new than a tick may add. Then the changes list only the first new entries. */
  excess: v.exactOptional(v.strictObject({ kind: v.picklist(["files", "bytes"]), max: Count })),
});
export type Evidence = v.InferOutput<typeof Evidence>;
