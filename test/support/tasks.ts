/** One good task of every kind. */
export const executeTask = {
  task_id: "T-1",
  milestone_id: "M-1",
  task_kind: "execute",
  intent: "Set x to 2.",
  scope: {
    allowed_globs: ["src/**"],
    forbidden_globs: ["**/*secret*"],
    allow_new_files: false,
    allow_lockfile_changes: false,
  },
  diff_limits: { max_files_touched: 3, max_lines_changed: 40 },
  verification: { fast: ["lint"], slow: ["test"] },
  builder: { mode: "claude_code", max_turns: 8, instructions: "Change the constant." },
} as const;

export const patchBuilder = { mode: "patch", patch: "diff --git a/x b/x\n" } as const;

const { builder: _builder, ...unbuilt } = executeTask;
export const verifyOnlyTask = { ...unbuilt, task_kind: "verify_only" } as const;

export const questionTask = {
  task_id: "T-2",
  milestone_id: "M-1",
  task_kind: "question",
  intent: "Ask which one is wanted.",
  question: { prompt: "Which one?" },
} as const;

export const controlTask = {
  task_id: "T-3",
  milestone_id: "M-1",
  control: { action: "stop", reason: "All is done." },
} as const;
