/** A simulated world before anything happens: a repository with its configuration, and a task. */
import type { Machine } from "./machine.ts";
import type { CommandName, Plan } from "./plan.ts";
import { makeRepository, makeSystem, REPOSITORY } from "./repository.ts";

const TASK_FILE = "/home/me/task.json";
/** The file of the person. */
export const NOTES_NAME = "NOTES";

/** Files that agents and checks write to. */
export const FIRST_FILES = {
  "src/a.txt": "one\ntwo\nthree\n",
  "src/b.txt": "b\n",
  README: "hello\n",
} as const;

type Settings = Pick<Plan, "commits" | "budget">;

export function setUp(machine: Machine, { notes, ...settings }: Settings & { readonly notes: string }): void {
  const files = makeSystem(machine);
  files.mkdirSync(REPOSITORY);
  makeRepository(files, {
    ...FIRST_FILES,
    [NOTES_NAME]: notes,
    "relais.config.json": `${JSON.stringify(makeConfig(settings), null, 1)}\n`,
  });
  files.writeFileSync(TASK_FILE, JSON.stringify(TASK));
  machine.disk.settle();
}

/** What a person types. */
export const ARGUMENTS: Readonly<Record<CommandName, readonly string[]>> = {
  run: ["run", "--task", TASK_FILE, "--json"],
  accept: ["accept", "--json"],
  undo: ["undo", "--json"],
  recover: ["recover", "--json"],
  agree: ["recover", "--yes", "--json"],
  abandon: ["recover", "--abandon", "--json"],
  status: ["status", "--json"],
  prune: ["history", "prune", "--keep", "1", "--json"],
};

const TASK = {
  task_id: "T-1",
  milestone_id: "M-1",
  task_kind: "execute",
  intent: "Write a line.",
  scope: { allowed_globs: ["src/**"], forbidden_globs: [], allow_new_files: true, allow_lockfile_changes: false },
  diff_limits: { max_files_touched: 5, max_lines_changed: 100 },
  verification: { fast: ["ok"], slow: [] },
  builder: { mode: "command", max_turns: 1, instructions: "Write a line." },
} as const;

function makeConfig({ commits, budget }: Settings): object {
  return {
    // The simulated git lists no files of a repository that tell agents anything.
    project_files: [],
    builder: { default_mode: "command", command: { command: "/usr/bin/agent", args: [], timeout_seconds: 60 } },
    scope: { default_allowed_globs: ["src/**"] },
    sandbox: "off",
    isolation: "in_place",
    git: { commit: commits ? "always" : "never" },
    budgets: { per_milestone: { max_builder_calls: budget } },
    verification: { templates: [{ id: "ok", cmd: "/usr/bin/check", args: [] }] },
  };
}
