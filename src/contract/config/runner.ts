import * as v from "valibot";
import { Glob } from "../repository-path.ts";
import { Positive, Seconds } from "../quantity.ts";
import { DEFAULT_WORKSPACE, workspaceFile } from "./workspace-path.ts";

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
  delete_tmp_glob: v.exactOptional(Glob, `${DEFAULT_WORKSPACE}/*.tmp`),
  validate_runner_json_files: v.exactOptional(v.boolean(), true),
});

const RenderReportMd = v.strictObject({
  enabled: v.exactOptional(v.boolean(), true),
  max_chars: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(500), v.maxValue(1_000_000)), 6000),
});

export const Runner = v.strictObject({
  require_git: v.exactOptional(
    v.literal(true, "relais judges what git shows, so there is no way to work without git"),
    true,
  ),
  max_tick_seconds: v.exactOptional(Seconds, 900),
  lockfile: workspaceFile("lock.json"),
  runner_owned_globs: v.exactOptional(
    v.array(Glob),
    OWNED.map((name) => `${DEFAULT_WORKSPACE}/${name}`),
  ),
  crash_cleanup: v.exactOptional(CrashCleanup, {}),
  render_report_md: v.exactOptional(RenderReportMd, {}),
});

export const History = v.strictObject({
  enabled: v.exactOptional(v.boolean(), true),
  dir: workspaceFile("history"),
  max_mb: v.exactOptional(Positive, 500),
  include_diff_patch: v.exactOptional(v.boolean(), true),
  include_verify_log: v.exactOptional(v.boolean(), true),
});
