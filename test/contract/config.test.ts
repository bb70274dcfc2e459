import { compileForbidden } from "../../src/core/paths/globs.ts";
import { expect, test } from "vitest";
import { parseConfig } from "../../src/contract/config/parse-config.ts";

function config(document: unknown) {
  const parsed = parseConfig(document);
  if (parsed.kind === "invalid") throw new Error(parsed.problems.map(({ message }) => message).join("\n"));
  return parsed.value;
}

function problems(document: unknown): readonly string[] {
  const parsed = parseConfig(document);
  return parsed.kind === "valid" ? [] : parsed.problems.map(({ message }) => message);
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
    claude_code_cli: { command: "claude", output_format: "stream-json", no_session_persistence: true },
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
  const owned = [
    "STATE.json",
    "TASK.json",
    "REPORT.json",
    "REPORT.md",
    "BLOCKED.json",
    "FACTS.md",
    "lock.json",
  ];
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
  const steering = [
    ".claude/**",
    "CLAUDE.md",
    "AGENTS.md",
    ".mcp.json",
    ".cursorrules",
    ".github/workflows/**",
  ];
  const executed = [".husky/**", ".vscode/tasks.json", ".envrc"];
  expect(scope.default_forbidden_globs.slice(0, 3)).toEqual(forbidden);
  expect(scope.default_forbidden_globs).toEqual(
    expect.arrayContaining(["node_modules/**", ...steering, ...executed].map((glob) => `**/${glob}`)),
  );
  const forbids = compileForbidden(scope.default_forbidden_globs);
  const secrets = [
    ".env.local",
    "a/server.pem",
    "id_rsa",
    ".npmrc",
    "config/secrets.json",
    "home/.ssh/config",
  ];
  expect(secrets.filter((path) => forbids(path) === null)).toEqual([]);
  const words = [
    "src/tokenizer.js",
    "src/secretary.ts",
    "docs/tokens.md",
    "src/auth/token.ts",
    "src/keys.ts",
  ];
  expect(words.filter((path) => forbids(path) !== null)).toEqual([]);
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
    oracle: "report",
    baseline: "off",
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
    review: { reviewers: [], quorum: null, blocker_threshold: 3 },
    notify: { command: null },
  });
});

test("the workflows", () => {
  const { loop, tree, goal, campaign } = config({});
  expect(loop).toEqual({
    on_stop: "halt",
    on_rate_limit: "wait",
    max_wait_seconds: 21_600,
    soft_stop_at_warning: true,
    breakers: { same_task: 2, same_code: 3, empty_ticks: 2, infrastructure_failures: 3 },
  });
  expect(tree).toEqual({
    guard: null,
    max_attempts: 3,
    max_iterations: 50,
    max_log_bytes: 1_048_576,
    max_depth: 6,
    max_children: 12,
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
    verify_mode: "per-story",
    worker_model: "sonnet",
    verifier_model: "opus",
    breakers: { same_criterion: 2, distinct_criteria: 3, context_unchanged: 3, request_info: 2 },
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

const OUTSIDE = "it must stay inside the repository: no leading `/`, no `..`, no NUL";
const WORKSPACE = "the workspace is a folder below the root, like `relais` or `tools/relais`";
const refusals: readonly (readonly [unknown, readonly string[]])[] = [
  [
    { runner: { require_git: false } },
    [
      "`runner.require_git` is false, expected true: relais judges what git shows, so there is no way to work without git",
    ],
  ],
  [
    { claude_code_cli: { output_format: "text" } },
    [
      '`claude_code_cli.output_format` is the text "text", expected "stream-json" or "json": relais reads a JSON object, alone or at the end of a stream of them',
    ],
  ],
  [
    { verification: { execution_mode: "shell" } },
    [
      '`verification.execution_mode` is the text "shell", expected "argv_no_shell": checks are started from a list of arguments; a shell is never used',
    ],
  ],
  [
    {
      tree: {
        scope: { forbidden_globs: Array.from({ length: 33 }, (_, n) => `${n}/**`) },
        diff_limits: { max_files_touched: 501 },
      },
    },
    [
      "`tree.scope.forbidden_globs` is a list of 33 entries, expected at most 32 entries",
      "`tree.diff_limits.max_files_touched` is the number 501, expected at most 500",
    ],
  ],
  [
    { version: "2.0" },
    ['`version` is the text "2.0", expected "1.0": this relais reads configurations of version 1.0'],
  ],
  [
    { builder: { default_mode: "command" } },
    ['`builder.default_mode` is the text "command": set `builder.command` to the program to start'],
  ],
  [
    { builder: { command: { command: "x" }, cursor: { command: "x" } } },
    [
      "`builder.cursor` is an object: `builder.command` and `builder.cursor` are two names of one key: remove `builder.cursor`",
    ],
  ],
  [
    { orchestrator: { command: { command: "x" }, cursor: { command: "y" } } },
    [
      "`orchestrator.cursor` is an object: `orchestrator.command` and `orchestrator.cursor` are two names of one key: remove `orchestrator.cursor`",
    ],
  ],
  [{ builder: { cursor: {} } }, ["`builder.cursor.command` is missing, expected a text"]],
  [
    { builder: { default_mode: "patch", allow_patch_mode: false } },
    [
      '`builder.default_mode` is the text "patch": default_mode "patch" contradicts `builder.allow_patch_mode` false',
    ],
  ],
  [{ builder: { command: {} } }, ["`builder.command.command` is missing, expected a text"]],
  [
    { orchestrator: { max_parse_retries_per_tick: 2 } },
    [
      "`orchestrator.max_parse_retries_per_tick` is the number 2, expected at most 1: a tick is finite: one more attempt is the most",
    ],
  ],
  [
    { verification: { reject_metachars_regex: "[a" } },
    ['`verification.reject_metachars_regex` is the text "[a": it does not compile as a regular expression'],
  ],
  [
    { verification: { templates: [{ id: "a", cmd: "x", args: ["{{pkg}}"] }] } },
    ["`verification.templates[0]` is an object: {{pkg}} is used in args but not declared in params"],
  ],
  [
    { verification: { templates: [{ id: "a", cmd: "x", params: { pkg: { kind: "path" } } }] } },
    ["`verification.templates[0]` is an object: the parameter pkg is declared but {{pkg}} is not in args"],
  ],
  [
    { verification: { templates: [1, 2].map(() => ({ id: "a", cmd: "x" })) } },
    ["`verification.templates` is a list of 2 entries: two templates have the same id"],
  ],
  [
    { scope: { allowed_globs: ["src/**"] } },
    ["unknown key `scope.allowed_globs`, did you mean `default_allowed_globs`?"],
  ],
  [
    { sope: {}, modles: {} },
    ["unknown key `sope`, did you mean `scope`?", "unknown key `modles`, did you mean `models`?"],
  ],
  [{ notify: { zzz: 1 } }, ["unknown key `notify.zzz`, expected `command`"]],
  [{ runner: [] }, ["`runner` is a list, expected an object"]],
  [{ runner: null }, ["`runner` is null, expected an object"]],
  [[], ["the document is a list, expected an object"]],
  [{ runner: { lockfile: "/tmp/lock" } }, [`\`runner.lockfile\` is the text "/tmp/lock": ${OUTSIDE}`]],
  ...["", ".", "..", "/relais", "a/../b", ".git", "x/.GIT/y", "a b", "relais/"].map(
    (dir): readonly [unknown, readonly string[]] => [
      { workspace_dir: dir },
      [`\`workspace_dir\` is the text "${dir}": ${WORKSPACE}`],
    ],
  ),
  [
    { goal: { review_quorum: 4 } },
    ["`goal.review_quorum` is the number 4: a quorum cannot be larger than the number of reviewers"],
  ],
  [
    { goal: { max_turns: 3, blocker_threshold: 4 } },
    ["`goal.blocker_threshold` is the number 4: a threshold above goal.max_turns could never be reached"],
  ],
  [
    { goal: { diff_limits: { max_files_touched: 501 } } },
    ["`goal.diff_limits.max_files_touched` is the number 501, expected at most 500"],
  ],
  [{ goal: { blocker_threshold: 1 } }, ["`goal.blocker_threshold` is the number 1, expected at least 2"]],
  [
    { review: { reviewers: ["risk"], quorum: 2 } },
    ["`review.quorum` is the number 2: a quorum cannot be larger than the number of reviewers"],
  ],
  [{ notify: { command: [] } }, ["`notify.command` is a list of 0 entries, expected at least 1 entry"]],
  [{ notify: { command: "say" } }, ['`notify.command` is the text "say", expected a list or null']],
  [
    { ignored: "warn", isolation: "worktree" },
    [
      '`ignored` is the text "warn", expected one of "report", "forbid", "allow"',
      '`isolation` is the text "worktree", expected one of "auto", "in_place", "overlay", "clone"',
    ],
  ],
  [
    { git: { branch_prefix: "-x" } },
    ['`git.branch_prefix` is the text "-x": git does not accept it in the name of a branch'],
  ],
];

test.each(refusals)("%j is refused", (document, messages) => {
  expect(problems(document)).toEqual(messages);
});
