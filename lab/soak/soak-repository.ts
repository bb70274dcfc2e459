/** The one repository of the soak, on a disk, with an agent that plays all roles. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { WORKSPACE_IGNORE } from "../../src/config/workspace-layout.ts";
import { SOAK_AGENT } from "./soak-agent.ts";

export interface SoakRepository {
  readonly box: string;
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly git: (...args: string[]) => string;
  readonly put: (path: string, content: string) => void;
  /** The folder of the repository's state outside its worktree. */
  readonly state: () => string;
}

const FILES = 100;
const UNLIMITED = 1_000_000;
const CAPS = {
  max_ticks: UNLIMITED,
  max_orchestrator_calls: UNLIMITED,
  max_builder_calls: UNLIMITED,
  max_verify_runs: UNLIMITED,
};

const TASK = {
  task_id: "T-1",
  milestone_id: "M-1",
  task_kind: "execute",
  intent: "Add a constant.",
  scope: { allowed_globs: ["src/**"], forbidden_globs: [], allow_new_files: true, allow_lockfile_changes: false },
  diff_limits: { max_files_touched: 5, max_lines_changed: 50 },
  verification: { fast: ["check"], slow: [] },
  builder: { mode: "command", max_turns: 4, instructions: "Add a constant." },
};

export function makeSoakRepository(box: string): SoakRepository {
  const root = join(box, "repo");
  const home = join(box, "home");
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    XDG_STATE_HOME: join(box, "state"),
    TMPDIR: join(box, "tmp"),
    GIT_CONFIG_GLOBAL: join(home, ".gitconfig"),
    GIT_CONFIG_SYSTEM: "/dev/null",
  };
  for (const folder of [root, home, env.TMPDIR]) mkdirSync(folder, { recursive: true });
  const put: SoakRepository["put"] = (path, content) => {
    mkdirSync(dirname(join(box, path)), { recursive: true });
    writeFileSync(join(box, path), content);
  };
  const git: SoakRepository["git"] = (...args) =>
    execFileSync("git", args, { cwd: root, env, encoding: "utf8", timeout: 120_000 }).trim();
  put("home/.gitconfig", "[user]\nname = Soak\nemail = soak@example.invalid\n[gc]\nautoDetach = false\n");
  put("agent.sh", SOAK_AGENT);
  put("task.json", JSON.stringify(TASK));
  for (let file = 0; file < FILES; file += 1) put(`repo/lib/f${file}.ts`, `export const value${file} = ${file};\n`);
  for (const name of ["loop", "goal", "tree", "campaign"]) put(`repo/src/${name}.ts`, "export {};\n");
  put("repo/check.sh", "! grep -rq wrong src\n");
  put("repo/relais/.gitignore", WORKSPACE_IGNORE);
  put("repo/relais/GOAL.md", "# Goal\n\nThe constants of `src` are complete.\n");
  put("repo/relais.config.json", JSON.stringify(configure(join(box, "agent.sh"))));
  git("init", "--quiet", "--initial-branch=topic");
  git("add", "--all");
  git("commit", "--quiet", "--message=base");
  const state = (): string => {
    const folder = join(env.XDG_STATE_HOME, "relais");
    return join(folder, readdirSync(folder).find((name) => name.startsWith("repo-")) ?? "");
  };
  return { box, root, env, git, put, state };
}

function configure(agent: string): object {
  const command = { command: "sh", args: [agent] };
  const spare = { driver: "command", model: "spare" };
  return {
    sandbox: "off",
    roles: {
      orchestrator: { driver: "command" },
      builder: { driver: "command", fallbacks: [spare] },
    },
    builder: { default_mode: "command", command },
    orchestrator: { command },
    verification: { templates: [{ id: "check", cmd: "sh", args: ["check.sh"] }] },
    budgets: { per_milestone: CAPS, per_run: CAPS },
    loop: { on_stop: "continue", soft_stop_at_warning: false },
    tree: { guard: ["sh", "check.sh"], max_iterations: UNLIMITED },
    goal: { max_turns: 1000, reviewers: ["completion"], review_quorum: 1 },
    campaign: { max_iterations: 10_000, poll_interval_seconds: 0.01 },
  };
}
