import { expect, test } from "vitest";
import { parseConfig } from "../../src/config/parse-config.ts";

function config(document: unknown) {
  const parsed = parseConfig(document);
  if (parsed.kind === "invalid") throw new Error(parsed.problems.map(({ message }) => message).join("\n"));
  return parsed.value;
}

const counts = (caps: readonly number[]) => ({
  max_ticks: caps[0],
  max_orchestrator_calls: caps[1],
  max_builder_calls: caps[2],
  max_verify_runs: caps[3],
  max_reviewer_calls: caps[4],
  max_estimated_cost_usd: null,
});

const fence = {
  scope: { allowed_globs: ["**"], forbidden_globs: [], allow_new_files: true, allow_lockfile_changes: false },
  diff_limits: { max_files_touched: 200, max_lines_changed: 20_000 },
};

test("the runner, its programs and its history", () => {
  const { version, product_name, workspace_dir, runner, claude_code_cli, models, history } = config({});
  expect({ version, product_name, workspace_dir, claude_code_cli, models, history }).toEqual({
    version: "1.0",
    product_name: "relais",
    workspace_dir: "relais",
    claude_code_cli: { command: "claude", output_format: "stream-json" },
    models: {
      orchestrator_model: "opus",
      orchestrator_fallback_model: "sonnet",
      builder_model: "sonnet",
      builder_fallback_model: "haiku",
    },
    history: {
      enabled: true,
      dir: "relais/history",
      max_mb: 500,
      include_diff_patch: true,
      include_verify_log: true,
    },
  });
  expect(runner).toMatchObject({
    require_git: true,
    max_tick_seconds: 900,
    lockfile: "relais/lock.json",
    crash_cleanup: { delete_tmp_glob: "relais/*.tmp", validate_runner_json_files: true },
    render_report_md: { enabled: true, max_chars: 6000 },
  });
  const owned = ["STATE.json", "TASK.json", "REPORT.json", "REPORT.md", "BLOCKED.json", "FACTS.md", "lock.json"];
  const folders = ["history/**", "schemas/**", "prompts/**"];
  expect(runner.runner_owned_globs).toEqual(
    expect.arrayContaining([...owned, ...folders].map((name) => `relais/${name}`)),
  );
});

test("the orchestrator has two turns, no tools and no cap in dollars", () => {
  expect(config({}).orchestrator).toEqual({
    max_turns: 2,
    permission_mode: "plan",
    allowed_tools: "",
    system_prompt_file: "relais/prompts/orchestrator.system.txt",
    user_prompt_file: "relais/prompts/orchestrator.user.txt",
    task_schema_file: "relais/schemas/task.schema.json",
    max_parse_retries_per_tick: 1,
    max_budget_usd: null,
    scripted: { script: null },
  });
});

test("the builder asks nobody and has Write among its tools", () => {
  expect(config({}).builder).toEqual({
    default_mode: "claude_code",
    allow_patch_mode: true,
    claude_code: {
      permission_mode: "dontAsk",
      allowed_tools: "Read,Edit,Write,Glob,Grep,Bash",
      system_prompt_file: "relais/prompts/builder.system.txt",
      user_prompt_file: "relais/prompts/builder.user.txt",
      builder_result_schema_file: "relais/schemas/builder_result.schema.json",
      max_budget_usd: null,
      strict_builder_json: false,
    },
    patch: { max_patch_attempts_per_milestone: 10 },
    codex: {
      command: "codex",
      model: null,
      sandbox: "workspace-write",
      args: [],
      strict_builder_json: false,
    },
    scripted: { script: null },
  });
});

test("scope, limits and ignored files", () => {
  const { scope, diff_limits, ignored, ignored_writable_globs } = config({});
  expect(scope).toMatchObject({
    default_allowed_globs: ["src/**", "app/**", "packages/**", "tests/**", "README.md"],
    default_allow_new_files: false,
    default_allow_lockfile_changes: false,
  });
  const forbidden = [".git/**", "relais/**", "**/.env*"];
  const steering = [".claude/**", "CLAUDE.md", "AGENTS.md", ".mcp.json", ".cursorrules", ".github/workflows/**"];
  const executed = [".husky/**", ".vscode/tasks.json", ".envrc", ".github/actions/**", "Jenkinsfile"];
  expect(scope.default_forbidden_globs.slice(0, 3)).toEqual(forbidden);
  expect(scope.default_forbidden_globs).toEqual(
    expect.arrayContaining(["node_modules/**", ...steering, ...executed].map((glob) => `**/${glob}`)),
  );
  expect(scope.lockfiles.toSorted()).toEqual(
    [
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
    ].toSorted(),
  );
  expect(diff_limits).toEqual({ default_max_files_touched: 12, default_max_lines_changed: 400 });
  expect(ignored).toBe("forbid");
  expect(ignored_writable_globs).toEqual(
    expect.arrayContaining(["**/node_modules/.cache/**", "**/dist/**", "**/coverage/**"]),
  );
});

test("verification and budgets", () => {
  const { verification, budgets } = config({});
  expect(verification).toMatchObject({
    execution_mode: "argv_no_shell",
    max_param_len: 128,
    reject_whitespace_in_params: true,
    reject_dotdot: true,
    reject_metachars_regex: "[;&|$\\\\><(){}\\[\\]`\\n\\r\\t\\0]",
    timeout_fast_seconds: 90,
    timeout_slow_seconds: 600,
    templates: [
      { id: "lint", cmd: "pnpm", args: ["-w", "lint"] },
      { id: "typecheck", cmd: "pnpm", args: ["-w", "typecheck"] },
      { id: "test", cmd: "pnpm", args: ["-w", "test"] },
      {
        id: "test_filter",
        cmd: "pnpm",
        args: ["-w", "test", "--filter", "{{pkg}}"],
        params: { pkg: { kind: "string_token" } },
      },
    ],
    scratch_globs: [],
    oracle: "pinned",
    baseline: "auto",
  });
  for (const character of ";&|$\\><(){}[]`\n\r\t\0")
    expect(new RegExp(verification.reject_metachars_regex).test(character)).toBe(true);
  expect(new RegExp(verification.reject_metachars_regex).test("@scope/pkg-1.0_a")).toBe(false);
  expect(budgets).toEqual({
    per_milestone: counts([1000, 650, 600, 6000, 2000]),
    per_run: counts([2500, 1625, 1500, 15_000, 5000]),
    warn_at_fraction: 0.8,
  });
});

test("what runs where, and what it is told", () => {
  const { git, isolation, sandbox, roles, env, review, notify } = config({});
  expect({ git, isolation, sandbox, roles, env, review, notify }).toEqual({
    git: {
      commit: "loop",
      hooks: "off",
      protected_branches: ["main", "master"],
      branch_prefix: "relais/",
    },
    isolation: "auto",
    sandbox: "auto",
    roles: { orchestrator: {}, builder: {}, reviewer: {}, verifier: {} },
    env: { agents: [], checks: [] },
    review: {
      reviewers: [],
      quorum: null,
      blocker_threshold: 3,
    },
    notify: { command: null },
  });
});

test("the workflows", () => {
  const { loop, tree, goal, campaign } = config({});
  expect(loop).toEqual({
    on_stop: "halt",
    on_suspicion: "hold",
    on_rate_limit: "wait",
    max_wait_seconds: 21_600,
    soft_stop_at_warning: true,
    breakers: { same_task: 2, same_code: 3, empty_ticks: 2, infrastructure_failures: 3 },
  });
  expect(tree).toEqual({
    guard: null,
    max_attempts: 3,
    max_iterations: 50,
    iteration_timeout_seconds: 1800,
    max_consecutive_decompose: 5,
    ...fence,
  });
  expect(goal).toEqual({
    max_turns: 10,
    reviewers: ["completion", "evidence", "risk"],
    review_quorum: 2,
    checks: null,
    ...fence,
  });
  expect(campaign).toMatchObject({
    max_iterations: 100,
    mode: "agent",
    worker_model: "sonnet",
    verifier_model: "opus",
    breakers: { request_info: 2 },
    ...fence,
  });
});

test("a moved workspace takes its files and their protection along", () => {
  const { workspace_dir, runner, orchestrator, builder, scope, history, git } = config({
    workspace_dir: "tools/loop",
    runner: { max_tick_seconds: 60, lockfile: "elsewhere/lock.json" },
  });
  expect(workspace_dir).toBe("tools/loop");
  expect(runner).toMatchObject({ max_tick_seconds: 60, lockfile: "elsewhere/lock.json" });
  expect(runner.runner_owned_globs).toContain("tools/loop/STATE.json");
  expect(scope.default_forbidden_globs).toContain("tools/loop/**");
  expect(orchestrator.task_schema_file).toBe("tools/loop/schemas/task.schema.json");
  expect(builder.claude_code.user_prompt_file).toBe("tools/loop/prompts/builder.user.txt");
  expect(history.dir).toBe("tools/loop/history");
  expect(git.branch_prefix).toBe("relais/");
  expect(JSON.stringify({ runner, orchestrator, builder, scope, history })).not.toContain('"relais/');
});
