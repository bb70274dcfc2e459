import * as v from "valibot";
import { Glob, RepositoryPath } from "../base/repository-path.ts";
import { Positive, Seconds } from "../base/quantity.ts";
import { DEFAULT_WORKSPACE, joinWorkspacePath } from "./workspace-path.ts";
import { key } from "./key.ts";
import { PersonalPath } from "./repository.ts";

const OWNED = [
  "STATE.json",
  "TASK.json",
  "REPORT.json",
  "REPORT.md",
  "BLOCKED.json",
  "FACTS.md",
  "GOAL.md",
  "tree.json",
  "ledger.jsonl",
  "history/**",
  "goals/**",
  "campaigns/**",
  "lock.json",
  "schemas/**",
  "prompts/**",
  ".gitignore",
];

const CrashCleanup = v.strictObject({
  delete_tmp_glob: key(Glob, "Half-written files to remove before a tick.", `${DEFAULT_WORKSPACE}/*.tmp`),
  validate_runner_json_files: key(v.boolean(), "Block a tick if a workspace document is damaged.", true),
});

const RenderReportMd = v.strictObject({
  enabled: key(v.boolean(), "Write REPORT.md, the report for people.", true),
  max_chars: key(
    v.pipe(v.number(), v.integer(), v.minValue(500), v.maxValue(1_000_000)),
    "Most characters of that report.",
    6000,
  ),
});

export const Runner = v.strictObject({
  require_git: key(
    v.literal(true, "relais judges what git shows, so there is no way to work without git"),
    "Always true: relais needs git.",
    true,
  ),
  max_tick_seconds: key(
    Seconds,
    "Time limit of a whole tick. No builder, check, filter or hook gets more than the time left.",
    900,
  ),
  max_new_files: key(
    Positive,
    "Most files and folders that a tick may add, ignored ones included. An agent or check that makes more is stopped.",
    50_000,
  ),
  max_new_mb: key(Positive, "Most megabytes that a tick may add, ignored files included.", 4096),
  lockfile: joinWorkspacePath("lock.json", "The lock file in the repository."),
  runner_owned_globs: key(
    v.array(Glob),
    "Paths that no agent may write. The workspace and the configuration always belong to them.",
    OWNED.map((name) => `${DEFAULT_WORKSPACE}/${name}`),
  ),
  crash_cleanup: v.exactOptional(CrashCleanup, {}),
  render_report_md: v.exactOptional(RenderReportMd, {}),
});

export const JournalSection = v.strictObject({
  sign: key(
    v.nullable(PersonalPath),
    "Your SSH key: every settled tick and every commit of relais is signed with it. Null is off.",
    null,
  ),
  allowed_signers: key(
    v.nullable(RepositoryPath),
    "A file of the repository that lists who may sign, as `ssh-keygen` reads it, for `relais judge --require-proof`.",
    null,
  ),
});

export const History = v.strictObject({
  enabled: key(v.boolean(), "Keep a folder for each tick.", true),
  dir: joinWorkspacePath("history", "Where these folders are."),
  max_mb: key(Positive, "A larger history blocks ticks; `relais history prune` deletes old runs.", 500),
  include_diff_patch: key(v.boolean(), "Keep the patch of each tick.", true),
  include_verify_log: key(v.boolean(), "Keep the output of the checks.", true),
});
