import * as v from "valibot";
import { Glob } from "../values/repository-path.ts";
import { Positive, Seconds } from "../values/quantity.ts";
import { DEFAULT_WORKSPACE, workspaceFile } from "./workspace-path.ts";
import { key } from "./key.ts";

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
  delete_tmp_glob: key(
    Glob,
    "Half-written files that are removed before a tick.",
    `${DEFAULT_WORKSPACE}/*.tmp`,
  ),
  validate_runner_json_files: key(
    v.boolean(),
    "Whether damaged documents of the workspace block a tick.",
    true,
  ),
});

const RenderReportMd = v.strictObject({
  enabled: key(v.boolean(), "Whether there is a report for people, REPORT.md.", true),
  max_chars: key(
    v.pipe(v.number(), v.integer(), v.minValue(500), v.maxValue(1_000_000)),
    "How long that report may be, in characters.",
    6000,
  ),
});

export const Runner = v.strictObject({
  require_git: key(
    v.literal(true, "relais judges what git shows, so there is no way to work without git"),
    "There is no way to work without git.",
    true,
  ),
  max_tick_seconds: key(
    Seconds,
    "How long a whole tick may take; its rest is the most that a builder, a check, a filter or a hook gets.",
    900,
  ),
  lockfile: workspaceFile("lock.json", "The lock that is seen in the repository."),
  runner_owned_globs: key(
    v.array(Glob),
    "What only relais and people write; the workspace and the configuration always belong to it.",
    OWNED.map((name) => `${DEFAULT_WORKSPACE}/${name}`),
  ),
  crash_cleanup: v.exactOptional(CrashCleanup, {}),
  render_report_md: v.exactOptional(RenderReportMd, {}),
});

export const History = v.strictObject({
  enabled: key(v.boolean(), "Whether a folder is kept for each tick.", true),
  dir: workspaceFile("history", "Where these folders are."),
  max_mb: key(Positive, "A larger history blocks ticks until `relais history prune` has made room.", 500),
  include_diff_patch: key(v.boolean(), "Whether the patch of each tick is kept.", true),
  include_verify_log: key(v.boolean(), "Whether what the checks printed is kept.", true),
});
