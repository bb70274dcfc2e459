import * as v from "valibot";
import { Positive } from "../values/quantity.ts";
import { TaskGlob } from "../values/repository-path.ts";
import { key } from "./key.ts";

/**
 * Where a workflow may work. It becomes a part of every task, so no more is accepted than a task holds; the guard of a
 * tree needs some room.
 */
export const fence = {
  scope: v.exactOptional(
    v.strictObject({
      allowed_globs: key(
        v.pipe(v.array(TaskGlob), v.minLength(1), v.maxLength(64)),
        "What may change in one step of this workflow.",
        ["**"],
      ),
      forbidden_globs: key(
        v.pipe(v.array(TaskGlob), v.maxLength(32)),
        "What may not, besides the forbidden globs of `scope`.",
        [],
      ),
      allow_new_files: key(v.boolean(), "Whether files may be created.", true),
      allow_lockfile_changes: key(v.boolean(), "Whether lockfiles may change.", false),
    }),
    {},
  ),
  diff_limits: v.exactOptional(
    v.strictObject({
      max_files_touched: key(v.pipe(Positive, v.maxValue(500)), "How many files one step may touch.", 200),
      max_lines_changed: key(
        v.pipe(Positive, v.maxValue(20_000)),
        "How many lines one step may add and delete.",
        20_000,
      ),
    }),
    {},
  ),
};
