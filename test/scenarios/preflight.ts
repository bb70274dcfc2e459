/** Why a tick cannot begin although there is a repository with a configuration: the rows after the lock. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Scenario } from "../support/scenario.ts";
import type { World } from "../support/scenario-world.ts";

const MEGABYTE = 1024 * 1024;
const blocked = (cause: string, message: RegExp) => ({ cause, message, report: { settle: null, task: null } }) as const;
const dirty = (message: RegExp) => ({ code: "BLOCKED_DIRTY_WORKTREE", ...blocked("dirty", message) }) as const;
const damaged = (message: RegExp) =>
  ({ code: "BLOCKED_CRASH_RECOVERY_REQUIRED", ...blocked("damaged_documents", message) }) as const;
const capped = (cause: string, message: RegExp) =>
  ({ code: "BLOCKED_BUDGET_CAP", cause, message, report: { budgets: { builder_calls: 0 } } }) as const;

/** One tick before the one of the scenario, with everything that it changed taken back. */
async function tickBefore(world: World): Promise<void> {
  const { status, stdout } = await world.run();
  expect({ status, stdout }).toMatchObject({ status: 0 });
  world.git("checkout", "-q", ".");
}

const perMilestone = (caps: object) => ({ budgets: { per_milestone: caps } });
const perRun = (caps: object) => ({ budgets: { per_run: caps } });

export const PREFLIGHT: readonly Scenario[] = [
  {
    shows: "a tracked file is not committed",
    before: ({ put }) => put({ "README.md": "mine\n" }),
    ends: dirty(/README\.md/),
  },
  {
    shows: "a file is not tracked",
    before: ({ put }) => put({ "notes.txt": "mine\n" }),
    ends: dirty(/notes\.txt/),
  },
  {
    shows: "a change is only staged",
    before: ({ put, git }) => {
      put({ "README.md": "mine\n" });
      git("add", "README.md");
      put({ "README.md": "# Sample\n" });
    },
    ends: dirty(/README\.md/),
  },
  {
    shows: "git does not ignore what relais writes, which nobody should commit",
    before: ({ git }) => {
      git("rm", "-q", "relais/.gitignore");
      git("commit", "-qm", "chore: tidy up");
    },
    ends: {
      code: "BLOCKED_DIRTY_WORKTREE",
      ...blocked("workspace_not_ignored", /^Git does not ignore relais\/lock\.json\.$/),
      after: ({ root }) =>
        expect(readFileSync(join(root, "relais/REPORT.md"), "utf8")).toMatch(
          /`relais eject .gitignore`.* Do not commit them/,
        ),
    },
  },
  {
    shows: "a branch is in the way of the one that the commit would need",
    config: { git: { commit: "always", protected_branches: ["work"], branch_prefix: "robots/at/work/" } },
    before: ({ git }) => void git("branch", "robots/at"),
    ends: {
      code: "BLOCKED_MISSING_CONFIG",
      ...blocked("branch_in_the_way", /^The branch robots\/at conflicts with the prefix robots\/at\/work\/\.$/),
    },
  },
  {
    shows: "a glob for temporary files that is too wide removes nothing else",
    config: { runner: { crash_cleanup: { delete_tmp_glob: "**" } } },
    ends: { code: "SUCCESS", changed: ["src/main.ts"] },
  },
  {
    shows: "the history is larger than its cap",
    keys: ["history.max_mb"],
    config: { history: { max_mb: 1 } },
    before: ({ put }) => put({ "relais/history/old/builder.log": "x".repeat(2 * MEGABYTE) }),
    ends: {
      code: "BLOCKED_HISTORY_CAP_CLEANUP_REQUIRED",
      ...blocked("history_cap", /2 MB.*history\.max_mb is 1/),
    },
  },
  {
    shows: "F012: a crash left a temporary file and a damaged STATE.json",
    before: ({ put }) => put({ "relais/STATE.json": '{ "version": 1, "ti', "relais/STATE.json.tmp": "{" }),
    ends: { ...damaged(/STATE\.json is damaged: it is not JSON/), changed: ["relais/STATE.json.tmp"] },
  },
  {
    shows: "a report that its schema refuses",
    before: ({ put }) => put({ "relais/REPORT.json": '{ "verdict": "success" }' }),
    ends: damaged(/REPORT\.json is damaged/),
  },
  {
    shows: "a damaged document where the configuration does not want it looked at",
    keys: ["runner.crash_cleanup.validate_runner_json_files"],
    config: { runner: { crash_cleanup: { validate_runner_json_files: false } } },
    before: ({ put }) => put({ "relais/STATE.json": "{" }),
    ends: { code: "SUCCESS", changed: ["src/main.ts"] },
  },
  {
    shows: "only the temporary files that the configuration names are removed",
    keys: ["runner.crash_cleanup.delete_tmp_glob"],
    config: { runner: { crash_cleanup: { delete_tmp_glob: "relais/old*.tmp" } } },
    before: ({ put }) => put({ "relais/mine.tmp": "mine", "relais/old.tmp": "old" }),
    ends: { code: "SUCCESS", changed: ["relais/old.tmp", "src/main.ts"] },
  },
  {
    shows: "a sandbox is required and there is none",
    keys: ["sandbox"],
    config: { sandbox: "required" },
    ends: { code: "BLOCKED_SANDBOX_UNAVAILABLE", ...blocked("no_sandbox", /sandbox/) },
  },
  {
    shows: "an isolation that this repository cannot have",
    keys: ["isolation"],
    config: { isolation: "clone" },
    before: ({ root }) => {
      renameSync(join(root, ".git"), join(root, "git-data"));
      writeFileSync(join(root, ".git"), "gitdir: git-data\n");
      mkdirSync(join(root, "git-data/info"));
      writeFileSync(join(root, "git-data/info/exclude"), "/git-data/\n");
    },
    ends: {
      code: "BLOCKED_MISSING_CONFIG",
      ...blocked("isolation_unavailable", /git's own folder lies in the worktree/),
    },
  },
  {
    shows: "a branch of that name where the commit goes to the branch that is checked out",
    config: { git: { commit: "always", protected_branches: [], branch_prefix: "team/robots/" } },
    before: ({ git }) => void git("branch", "team/robots"),
    ends: { code: "SUCCESS", changed: ["src/main.ts"], movesGit: true },
  },
  {
    shows: "no tick is left in the milestone",
    keys: ["budgets.per_milestone.max_ticks"],
    config: perMilestone({ max_ticks: 0 }),
    ends: capped("ticks", /budgets\.per_milestone\.max_ticks/),
  },
  {
    shows: "the last tick of the milestone was the one before",
    config: perMilestone({ max_ticks: 1 }),
    before: tickBefore,
    ends: {
      code: "BLOCKED_BUDGET_CAP",
      cause: "ticks",
      message: /1 of 1 used/,
      report: { budgets: { milestone_id: "M-1" } },
    },
  },
  {
    shows: "a task of the next milestone opens a new account",
    config: perMilestone({ max_ticks: 1 }),
    before: async (world) => {
      await tickBefore(world);
      const file = join(world.box, "task.json");
      writeFileSync(file, readFileSync(file, "utf8").replace('"M-1"', '"M-2"'));
    },
    ends: {
      code: "SUCCESS",
      changed: ["src/main.ts"],
      report: { budgets: { milestone_id: "M-2", ticks: 1 } },
    },
  },
  {
    shows: "no builder call is left in the milestone",
    keys: ["budgets.per_milestone.max_builder_calls"],
    config: perMilestone({ max_builder_calls: 0 }),
    ends: capped("builder_calls", /max_builder_calls/),
  },
  {
    shows: "the milestone cannot pay for all checks of the task, so none is run",
    keys: ["budgets.per_milestone.max_verify_runs"],
    config: perMilestone({ max_verify_runs: 1 }),
    ends: { ...capped("verify_runs", /max_verify_runs/), code: "BLOCKED_BUDGET_EXHAUSTED" },
  },
  {
    shows: "no tick is left in the series",
    keys: ["budgets.per_run.max_ticks"],
    config: perRun({ max_ticks: 0 }),
    ends: capped("ticks_of_series", /budgets\.per_run\.max_ticks/),
  },
  {
    shows: "no builder call is left in the series",
    keys: ["budgets.per_run.max_builder_calls"],
    config: perRun({ max_builder_calls: 0 }),
    ends: capped("builder_calls_of_series", /budgets\.per_run/),
  },
  {
    shows: "the series cannot pay for all checks of the task",
    keys: ["budgets.per_run.max_verify_runs"],
    config: perRun({ max_verify_runs: 1 }),
    ends: { ...capped("verify_runs_of_series", /budgets\.per_run/), code: "BLOCKED_BUDGET_EXHAUSTED" },
  },
  {
    shows: "a budget that is nearly used up is a warning and no reason to stop",
    keys: ["budgets.warn_at_fraction"],
    config: { budgets: { per_milestone: { max_ticks: 4 }, warn_at_fraction: 0.25 } },
    ends: {
      code: "SUCCESS",
      changed: ["src/main.ts"],
      report: { budgets: { warnings: ["ticks of this milestone: 1 of 4 used."] } },
      after: ({ read }) => expect(JSON.parse(read("relais/STATE.json"))).toMatchObject({ budget_warning: true }),
    },
  },
  {
    shows: "a tick that was killed blocks the next one until it is recovered",
    program: 'echo half > src/main.ts\n: > "$HOME/building"\nwhile [ ! -e "$HOME/go" ]; do sleep 0.05; done\n',
    before: async (world) => {
      const home = join(world.box, "home");
      const cut = world.start(["run", "--task", join(world.box, "task.json")]);
      await expect.poll(() => existsSync(join(home, "building")), { timeout: 20_000 }).toBe(true);
      cut.process.kill("SIGKILL");
      writeFileSync(join(home, "go"), "");
      await cut.ended;
    },
    ends: {
      code: "BLOCKED_CRASH_RECOVERY_REQUIRED",
      ...blocked("tick_unfinished", /was interrupted/),
      after: async ({ relais, read, git, has }) => {
        expect(await relais(["recover"])).toMatchObject({ status: 0, stderr: "" });
        expect(has("relais/.tmp")).toBe(false);
        expect(read("src/main.ts")).toBe("export const answer = 41;\n");
        expect(git("status", "--porcelain")).toBe("");
      },
    },
  },
  {
    shows: "a journal with a torn last line goes on where it was whole",
    before: async (world) => {
      await tickBefore(world);
      appendFileSync(join(world.state(), "journal.jsonl"), '{"seq":99,"at"');
    },
    ends: { code: "SUCCESS", changed: ["src/main.ts"], report: { budgets: { ticks: 2 } } },
  },
  {
    shows: "a state directory that is gone is taken up from the ledger, and no budget is fresh",
    before: async (world) => {
      await tickBefore(world);
      world.forgetState();
    },
    ends: { code: "SUCCESS", changed: ["src/main.ts"], report: { budgets: { ticks: 2 } } },
  },
];
