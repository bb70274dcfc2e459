/** The default scope. The forbidden globs cover the files of git and relais, dependencies, and what is protected. */
import * as v from "valibot";
import { Argv, Count, DollarCap, Positive, Seconds } from "../base/quantity.ts";
import { Glob, RepositoryPath } from "../base/repository-path.ts";
import { DEFAULT_WORKSPACE, joinWorkspacePath, WorkspaceDir } from "./workspace-path.ts";
import { PROTECTED_GLOBS } from "./protected-paths.ts";
import { key } from "./key.ts";
import {
  Git,
  Ignored,
  Isolation,
  Network,
  NetworkHosts,
  NetworkRegistries,
  PersonalPath,
  Sandbox,
  SandboxHidden,
} from "./repository.ts";
import { Builder, ClaudeCodeCli, Models, Orchestrator, ProjectFiles } from "./agents.ts";
import { Roles } from "./roles.ts";
import { EnvironmentSection, VerificationSection } from "./verification.ts";
import { CampaignSection, GoalSection, Loop, ReviewSection, TreeSection } from "./workflows.ts";

const FORBIDDEN = [".git/**", `${DEFAULT_WORKSPACE}/**`, ...PROTECTED_GLOBS, "**/node_modules/**"];

const LOCKFILES = [
  "pnpm-lock.yaml",
  "package-lock.json",
  "yarn.lock",
  "bun.lockb",
  "bun.lock",
  "npm-shrinkwrap.json",
  "Cargo.lock",
  "go.sum",
  "poetry.lock",
  "uv.lock",
  "Gemfile.lock",
  "composer.lock",
];

const FileName = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(255),
  v.regex(/^[^/\\\0]+$/, "a lockfile is given by its name alone and is found in every folder"),
);

export const Scope = v.strictObject({
  default_allowed_globs: key(
    v.array(Glob),
    "Paths that may change. A planned task cannot go beyond them; your own task can.",
    ["src/**", "app/**", "packages/**", "tests/**", "README.md"],
  ),
  default_forbidden_globs: key(
    v.array(Glob),
    "Paths that must not change. A task can add to them, never remove one.",
    FORBIDDEN,
  ),
  default_allow_new_files: key(v.boolean(), "Allow new files, unless a task decides.", false),
  default_allow_lockfile_changes: key(v.boolean(), "Allow lockfile changes, unless a task decides.", false),
  lockfiles: key(v.array(FileName), "File names that are lockfiles, in every folder.", LOCKFILES),
});

const DiffLimits = v.strictObject({
  default_max_files_touched: key(Positive, "Most files in a change; a task may set less.", 12),
  default_max_lines_changed: key(Positive, "Most added and deleted lines; a task may set less.", 400),
});

/**
 * What ordinary builds, tests and package managers write into ignored folders. Programs and byte code that a check would
 * take for the code under test (`bin`, `obj`, `*.pyc`, `.tox`) are not among them; checks do not look into `__pycache__`.
 */
const IgnoredWritableGlobs = key(
  v.array(Glob),
  "Ignored files that may always change: build output and tool caches. Never files that a check starts or loads.",
  [
    "**/node_modules/.cache/**",
    "**/node_modules/.vite/**",
    "**/node_modules/.vitest/**",
    "**/dist/**",
    "**/build/**",
    "**/out/**",
    "**/coverage/**",
    "**/.nyc_output/**",
    "**/.cache/**",
    "**/.parcel-cache/**",
    "**/.turbo/**",
    "**/.next/**",
    "**/.nuxt/**",
    "**/.svelte-kit/**",
    "**/.eslintcache",
    "**/*.tsbuildinfo",
    "**/target/**",
    "**/__pycache__/**",
    "**/.pytest_cache/**",
    "**/.mypy_cache/**",
    "**/.ruff_cache/**",
    "**/.coverage",
    "**/htmlcov/**",
    "**/.gradle/**",
    "**/.DS_Store",
  ],
);

interface Caps {
  readonly ticks: number;
  readonly orchestrator: number;
  readonly builder: number;
  readonly verify: number;
  readonly reviewer: number;
}

const caps = (defaults: Caps) =>
  v.strictObject({
    max_ticks: key(Count, "Most ticks.", defaults.ticks),
    max_orchestrator_calls: key(Count, "Most orchestrator sessions.", defaults.orchestrator),
    max_builder_calls: key(Count, "Most builder sessions; a patch counts as one.", defaults.builder),
    max_verify_runs: key(Count, "Most check runs.", defaults.verify),
    max_reviewer_calls: key(Count, "Most reviewer and verifier sessions.", defaults.reviewer),
    max_estimated_cost_usd: key(DollarCap, "Most dollars, if the agents report their cost; null is no cap.", null),
  });

/** Enough for a campaign of 100 iterations, each with its fixes and verifications, below the mark of the warning. */
const PerMilestone = caps({ ticks: 1000, orchestrator: 650, builder: 600, verify: 6000, reviewer: 2000 });

/** The caps of a whole series. They are never reset. */
const PerRun = caps({ ticks: 2500, orchestrator: 1625, builder: 1500, verify: 15_000, reviewer: 5000 });

const Budgets = v.strictObject({
  per_milestone: v.exactOptional(PerMilestone, {}),
  per_run: v.exactOptional(PerRun, {}),
  warn_at_fraction: key(v.pipe(v.number(), v.gtValue(0), v.maxValue(1)), "Warn from this fraction of a cap on.", 0.8),
});

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

const Runner = v.strictObject({
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

const JournalSection = v.strictObject({
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

const History = v.strictObject({
  enabled: key(v.boolean(), "Keep a folder for each tick.", true),
  dir: joinWorkspacePath("history", "Where these folders are."),
  max_mb: key(Positive, "A larger history blocks ticks; `relais history prune` deletes old runs.", 500),
  include_diff_patch: key(v.boolean(), "Keep the patch of each tick.", true),
  include_verify_log: key(v.boolean(), "Keep the output of the checks.", true),
});

/**
 * relais.config.json: every key with its default. An empty object is a whole configuration. No key is ignored: an
 * unsupported value is refused with the reason, an unknown key with the nearest known name.
 */

export { CONFIG_NAME } from "./config-name.ts";

export const Config = v.strictObject({
  $schema: v.exactOptional(
    v.pipe(v.string(), v.description("Schema of this file, for your editor. relais does not read it.")),
  ),
  version: key(
    v.literal("1.0", "this relais reads configurations of version 1.0"),
    "Format version of this file.",
    "1.0",
  ),
  product_name: key(
    v.pipe(v.string(), v.minLength(1), v.maxLength(80)),
    "Scope in commit subjects, as in `chore(relais): …`.",
    "relais",
  ),
  workspace_dir: key(WorkspaceDir, "The workspace folder. Default paths inside it move along.", DEFAULT_WORKSPACE),
  runner: v.exactOptional(Runner, {}),
  claude_code_cli: v.exactOptional(ClaudeCodeCli, {}),
  models: v.exactOptional(Models, {}),
  orchestrator: v.exactOptional(Orchestrator, {}),
  builder: v.exactOptional(Builder, {}),
  project_files: ProjectFiles,
  roles: v.exactOptional(Roles, {}),
  env: v.exactOptional(EnvironmentSection, {}),
  scope: v.exactOptional(Scope, {}),
  diff_limits: v.exactOptional(DiffLimits, {}),
  ignored: Ignored,
  ignored_writable_globs: IgnoredWritableGlobs,
  verification: v.exactOptional(VerificationSection, {}),
  review: v.exactOptional(ReviewSection, {}),
  budgets: v.exactOptional(Budgets, {}),
  history: v.exactOptional(History, {}),
  journal: v.exactOptional(JournalSection, {}),
  git: v.exactOptional(Git, {}),
  settle: key(
    v.picklist(["auto", "ask"]),
    "Who decides about a passing change: `auto` keeps it, `ask` holds it until you accept or reject it. `--ask` does the same once.",
    "auto",
  ),
  ask_timeout_seconds: key(
    Seconds,
    "How long such a change waits. Then it is reverted, kept in salvage, and the end is needs_human.",
    86_400,
  ),
  repairs: key(
    v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10)),
    'How often `relais run "..."` tries again after a red check, or after no change; each time is a tick of its own. 0 is never.',
    2,
  ),
  isolation: Isolation,
  sandbox: Sandbox,
  sandbox_hidden: SandboxHidden,
  network: Network,
  network_hosts: NetworkHosts,
  network_registries: NetworkRegistries,
  loop: v.exactOptional(Loop, {}),
  tree: v.exactOptional(TreeSection, {}),
  goal: v.exactOptional(GoalSection, {}),
  campaign: v.exactOptional(CampaignSection, {}),
  handoff: v.exactOptional(
    v.strictObject({
      command: key(
        v.nullable(Argv),
        "A program and its arguments. It gets a job or a goal that has ended, as JSON on standard input; null is off.",
        null,
      ),
    }),
    {},
  ),
  notify: v.exactOptional(
    v.strictObject({
      command: key(
        v.nullable(Argv),
        "A program and its arguments. It gets verdicts and questions as JSON on standard input; null is off.",
        null,
      ),
    }),
    {},
  ),
});
export type Config = v.InferOutput<typeof Config>;

export function makeDefaultConfig(): Config {
  return v.parse(Config, {});
}
