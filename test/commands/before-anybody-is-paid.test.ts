/** What would cost a session for nothing is found before one is started, by every command that asks the same list. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inCampaignWorld } from "../support/campaign-world.ts";
import { relais as runAsProcess } from "../support/relais.ts";
import { tickRepository, type TickRepository } from "../support/tick-repository.ts";

/** An agent that notes each session that it is paid for. */
const PAID = '#!/bin/sh\n[ "$1" = auth ] && { echo \'{"loggedIn": LOGIN}\'; exit 0; }\necho x >> "$0.paid"\n';

function agentIn({ box }: TickRepository, isLoggedIn = true): void {
  writeFileSync(join(box, "claude"), PAID.replace("LOGIN", String(isLoggedIn)));
  chmodSync(join(box, "claude"), 0o755);
}

function paidWorld(config: object = {}): TickRepository {
  const repository = tickRepository({
    config: {
      builder: { default_mode: "claude_code" },
      claude_code_cli: { command: "../claude" },
      verification: { templates: [] },
      tree: { guard: ["true"] },
      ...config,
    },
    files: { "relais/GOAL.md": "# Goal\n\nThe answer is 42.\n" },
  });
  agentIn(repository);
  return repository;
}

interface Case {
  readonly shows: string;
  readonly arrange: (repository: TickRepository) => void;
  readonly code: string;
  readonly cause: string;
}

const lock =
  (name: string) =>
  ({ root }: TickRepository) =>
    writeFileSync(join(root, ".git", name), "");

const CASES: readonly Case[] = [
  { shows: "a lock of the index", arrange: lock("index.lock"), code: "BLOCKED_LOCK_HELD", cause: "git_lock" },
  {
    shows: "a lock of the branch",
    arrange: lock("refs/heads/topic.lock"),
    code: "BLOCKED_LOCK_HELD",
    cause: "git_lock",
  },
  {
    shows: "a merge",
    arrange: ({ git }) => {
      git("switch", "--quiet", "-c", "other");
      git("commit", "--quiet", "--allow-empty", "-m", "there");
      git("switch", "--quiet", "topic");
      git("commit", "--quiet", "--allow-empty", "-m", "here");
      git("merge", "--quiet", "--no-commit", "other");
    },
    code: "BLOCKED_DIRTY_WORKTREE",
    cause: "merge_in_progress",
  },
  {
    shows: "a bisect, which detaches HEAD",
    arrange: ({ git }) => {
      git("commit", "--quiet", "--allow-empty", "-m", "second");
      git("commit", "--quiet", "--allow-empty", "-m", "third");
      git("bisect", "start", "HEAD", "HEAD~2");
    },
    code: "BLOCKED_DIRTY_WORKTREE",
    cause: "bisect_in_progress",
  },
  {
    shows: "a required filter whose program is missing",
    arrange: ({ git, commit }) => {
      commit({ ".gitattributes": "*.bin filter=vault\n" });
      git("config", "filter.vault.clean", "no-such-vault clean %f");
      git("config", "filter.vault.required", "true");
    },
    code: "BLOCKED_MISSING_CONFIG",
    cause: "filter_not_found",
  },
  {
    shows: "no login",
    arrange: (repository) => agentIn(repository, false),
    code: "BLOCKED_MISSING_CONFIG",
    cause: "not_logged_in",
  },
];

describe("before anybody is paid", { timeout: 60_000 }, () => {
  test.each(CASES)("$shows", async ({ arrange, code, cause }) => {
    const repository = paidWorld();
    arrange(repository);
    const asked = await repository.ask("status", "--preflight");
    expect(asked.document).toMatchObject({ preflight: { would_start: false, code, cause } });
    expect((await repository.ask("run")).document).toMatchObject({ code, cause });
    const looped = await repository.relais("loop", "--max-ticks", "1");
    expect(looped.stdout + looped.stderr).toContain(code);
    expect(existsSync(join(repository.box, "claude.paid"))).toBe(false);
    expect((await repository.relais("doctor")).status).not.toBe(0);
  });

  test("a check whose program is missing", async () => {
    const template = { id: "gone", cmd: "no-such-check", args: [] };
    const repository = paidWorld({ verification: { templates: [template] } });
    const task = {
      ...repository.task([]),
      verification: { fast: ["gone"], slow: [] },
      builder: { mode: "claude_code", instructions: "Go." },
    };
    writeFileSync(join(repository.box, "task.json"), JSON.stringify(task));
    const { document } = await repository.ask("run", "--task", join(repository.box, "task.json"));
    expect(document).toMatchObject({ code: "BLOCKED_MISSING_CONFIG", cause: "check_not_found" });
    expect(existsSync(join(repository.box, "claude.paid"))).toBe(false);
  });

  test("a filter that nothing here uses is no obstacle", async () => {
    const repository = paidWorld();
    repository.git("config", "filter.vault.clean", "no-such-vault clean %f");
    repository.git("config", "filter.vault.required", "true");
    const { document } = await repository.ask("status", "--preflight");
    expect(document).toMatchObject({ preflight: { would_start: true } });
  });

  test.each(["", "# Goal\n\n<!-- What is wanted. -->\n", null])(
    "a goal that says nothing holds up an orchestrator, and no task of one's own: %j",
    async (text) => {
      const repository = paidWorld();
      if (text === null) rmSync(join(repository.root, "relais/GOAL.md"));
      else repository.put({ "relais/GOAL.md": text });
      repository.git("commit", "--quiet", "-am", "no goal");
      expect((await repository.ask("run")).document).toMatchObject({
        code: "BLOCKED_MISSING_CONFIG",
        cause: "goal_empty",
      });
      expect(existsSync(join(repository.box, "claude.paid"))).toBe(false);
      const { document } = await repository.ask("status", "--preflight");
      expect(document).toMatchObject({
        preflight: { would_start: true },
        plan_trouble: expect.stringContaining("GOAL.md"),
      });
      const task = { ...repository.task([]), builder: { mode: "claude_code", instructions: "Go." } };
      writeFileSync(join(repository.box, "task.json"), JSON.stringify(task));
      const own = await repository.ask("run", "--task", join(repository.box, "task.json"), "--dry-run");
      expect(own).toMatchObject({ status: 0 });
    },
  );

  test("a goal and a tree ask the same list", async () => {
    const repository = paidWorld();
    mkdirSync(join(repository.root, ".git/rebase-merge"));
    for (const args of [
      ["goal", "Make it 42."],
      ["tree", "run"],
    ]) {
      const ran = await repository.relais(...args);
      expect(ran.status).toBe(11);
    }
    expect(existsSync(join(repository.box, "claude.paid"))).toBe(false);
  });

  test("a limit that an earlier tick met and that still runs", async () => {
    const repository = tickRepository({
      config: { builder: { default_mode: "command", command: { command: "../refuse", args: [] } } },
    });
    const program = join(repository.box, "refuse");
    writeFileSync(program, '#!/bin/sh\necho x >> "$0.paid"\necho "retry-at: 2999-01-01T00:00:00Z" >&2\nexit 75\n');
    chmodSync(program, 0o755);
    const task = { ...repository.task([]), builder: { mode: "command", instructions: "Go." } };
    const path = join(repository.box, "task.json");
    writeFileSync(path, JSON.stringify(task));
    const first = (await repository.ask("run", "--task", path)).document;
    expect(first).toMatchObject({ code: "STOP_RATE_LIMITED", retry_at: "2999-01-01T00:00:00.000Z" });
    const again = (await repository.ask("run", "--task", path)).document;
    expect(again).toMatchObject({ code: "STOP_RATE_LIMITED", cause: "still_limited" });
    expect((await repository.ask("status", "--preflight")).document).toMatchObject({
      preflight: { would_start: false, cause: "still_limited" },
    });
    expect(readFileSync(`${program}.paid`, "utf8")).toBe("x\n");
    // Another configuration may mean another account, so it is tried.
    repository.put({
      "relais.config.json": JSON.stringify({
        builder: { default_mode: "command", command: { command: "../refuse", args: ["again"] } },
      }),
    });
    repository.git("commit", "--quiet", "-am", "another account");
    expect((await repository.ask("run", "--task", path)).document).toMatchObject({ cause: "rate_limited" });
  });

  test("a check that only the plan names", async () => {
    const plan = {
      task_id: "T-1",
      milestone_id: "M-1",
      task_kind: "execute",
      intent: "Make it 42",
      scope: {
        allowed_globs: ["src/**"],
        forbidden_globs: [],
        allow_new_files: true,
        allow_lockfile_changes: false,
      },
      diff_limits: { max_files_touched: 5, max_lines_changed: 50 },
      verification: { fast: ["gone"], slow: [] },
      builder: { mode: "command", max_turns: 3, instructions: "Go." },
    };
    const repository = paidWorld({
      roles: { orchestrator: { driver: "command" } },
      orchestrator: { command: { command: "../plan", args: [] } },
      builder: { default_mode: "command", command: { command: "../claude", args: [] } },
      verification: { templates: [{ id: "gone", cmd: "no-such-check", args: [] }] },
    });
    const program = join(repository.box, "plan");
    writeFileSync(program, `#!/bin/sh\nprintf '%s' '${JSON.stringify(plan)}' > "$RELAIS_RESULT_PATH"\n`);
    chmodSync(program, 0o755);
    const { document } = await repository.ask("run");
    expect(document).toMatchObject({ code: "BLOCKED_MISSING_CONFIG", cause: "check_not_found" });
    expect(existsSync(join(repository.box, "claude.paid"))).toBe(false);
  });

  test("the guard of a tree", async () => {
    const repository = paidWorld({ tree: { guard: ["no-such-guard"] } });
    expect((await repository.relais("tree", "init")).status).toBe(0);
    repository.git("add", "-A");
    repository.git("commit", "--quiet", "-m", "tree");
    const ran = await repository.relais("tree", "run");
    expect(ran.stdout + ran.stderr).toContain("no-such-guard");
    expect(ran.status).toBe(11);
    expect(existsSync(join(repository.box, "claude.paid"))).toBe(false);
  });

  test("a campaign asks the same list, and goes on once there is nothing in the way", async () => {
    await inCampaignWorld({}, async ({ world, campaign, sessions }) => {
      world.put({ ".git/index.lock": "" });
      const { stderr, stdout } = await campaign("run", "lines");
      expect(stdout + stderr).toContain("index.lock");
      expect(sessions()).toEqual([]);
      rmSync(join(world.root, ".git/index.lock"));
      await campaign("run", "lines");
      expect(sessions().length).toBeGreaterThan(0);
    });
  });

  test("a repository that this user cannot write", async () => {
    const repository = paidWorld();
    for (const place of [repository.box, repository.root]) chmodSync(place, 0o755);
    chmodSync(join(repository.root, ".git/objects"), 0o555);
    const ordinary = process.getuid?.() === 0 ? { uid: 65_534 } : {};
    const env = { HOME: repository.box, XDG_STATE_HOME: join(repository.box, "state") };
    const asked = await runAsProcess(["status", "--preflight", "--json"], { cwd: repository.root, env, ...ordinary });
    expect(JSON.parse(asked.stdout)).toMatchObject({
      preflight: { code: "BLOCKED_MISSING_CONFIG", cause: "repository_not_writable" },
    });
    const ran = await runAsProcess(["run", "--json"], { cwd: repository.root, env, ...ordinary });
    expect(ran.status).toBe(11);
    expect(existsSync(join(repository.box, "claude.paid"))).toBe(false);
  });
});
