/** Why a tick does not even begin. Each is one sentence with its remedy; nothing is written, and nothing is lost. */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { Scenario } from "../support/scenario.ts";
import type { World } from "../support/scenario-world.ts";

const refused = (cause: string, message: RegExp) =>
  ({ code: "BLOCKED_MISSING_CONFIG", cause, message, isRefused: true }) as const;
const remove = (path: string) => {
  return ({ root }: World): void => rmSync(join(root, path), { recursive: true });
};
/** A configuration that is refused, with the sentence that says why. */
const invalid = (shows: string, config: object | string, problem: RegExp): Scenario => ({
  shows,
  config,
  ends: {
    ...refused("config_invalid", /^relais\.config\.json is not valid\.$/),
    after: (_, { stdout }) => expect(JSON.parse(stdout)).toMatchObject({ problems: [expect.stringMatching(problem)] }),
  },
});
const LOCK_HELD = { code: "BLOCKED_LOCK_HELD", isRefused: true } as const;
const WAITS = ': > "$HOME/building"\nwhile [ ! -e "$HOME/go" ]; do sleep 0.05; done\necho 42 > src/main.ts\n';
const lockOf = (pid: number) => ({
  run_id: "20260101T000000Z-00000000",
  pid,
  process_start: "1",
  started_at: "2026-01-01T00:00:00.000Z",
  boot_id: "another",
  host: hostname(),
  pid_namespace: null,
});

const PLACES: readonly Scenario[] = [
  {
    shows: "no repository",
    before: remove(".git"),
    ends: refused("no_repository", /no git repository at .*\/repo/),
  },
  {
    shows: "a repository without a commit",
    before: ({ root, git }) => {
      rmSync(join(root, ".git"), { recursive: true });
      git("init", "-q");
    },
    ends: refused("no_commit", /no commit yet/),
  },
  {
    shows: "a detached HEAD",
    before: ({ git }) => void git("checkout", "-q", "--detach"),
    ends: refused("detached_head", /^HEAD is detached\.$/),
  },
  {
    shows: "a repository without a working tree",
    before: ({ git }) => void git("clone", "-q", "--bare", ".", "../bare.git"),
    args: ["--cwd", "../bare.git"],
    ends: refused("bare_repository", /bare\.git is a bare repository/),
  },
  {
    shows: "a workspace that was replaced by a link",
    before: ({ root, place }) => {
      renameSync(join(root, "relais"), join(place, "elsewhere"));
      symlinkSync("../elsewhere", join(root, "relais"));
    },
    ends: refused("workspace_unusable", /is a link/),
  },
  {
    shows: "a workspace that is a file",
    before: ({ root }) => {
      rmSync(join(root, "relais"), { recursive: true });
      writeFileSync(join(root, "relais"), "");
    },
    ends: refused("workspace_unusable", /is not a folder/),
  },
  {
    shows: "a state directory that is a file",
    before: ({ box }) => writeFileSync(join(box, "state"), ""),
    ends: refused("state_unusable", /state directory/),
  },
  {
    shows: "a state directory inside the repository",
    before: ({ root }) => ({ XDG_STATE_HOME: join(root, "dist") }),
    ends: refused("state_unusable", /inside the repository; set XDG_STATE_HOME/),
  },
];

const CONFIGURATIONS: readonly Scenario[] = [
  {
    shows: "a configuration that is not JSON",
    config: "{ // mine\n}",
    ends: refused("config_not_json", /is not JSON: /),
  },
  {
    shows: "a configuration that is larger than any can be",
    config: " ".repeat(2 * 1024 * 1024),
    ends: refused("config_unreadable", /cannot be used/),
  },
  {
    shows: "a configuration that is a folder",
    before: ({ root }) => {
      rmSync(join(root, "relais.config.json"));
      mkdirSync(join(root, "relais.config.json"));
    },
    ends: refused("config_unreadable", /cannot be used/),
  },
  invalid("a key that nobody knows", { runner: { max_tick_second: 1 } }, /max_tick_second.*max_tick_seconds/),
  invalid(
    "a glob that nobody can read",
    { scope: { default_forbidden_globs: ["a{"] } },
    /default_forbidden_globs.*a\{/,
  ),
  {
    ...invalid("a configuration of another version", { version: "2.0" }, /version.*1\.0/),
    keys: ["version"],
  },
  { ...invalid("no git", { runner: { require_git: false } }, /require_git/), keys: ["runner.require_git"] },
  {
    ...invalid("checks through a shell", { verification: { execution_mode: "shell" } }, /execution_mode.*shell/),
    keys: ["verification.execution_mode"],
  },
  {
    ...invalid("an output that nobody reads", { claude_code_cli: { output_format: "text" } }, /output_format/),
    keys: ["claude_code_cli.output_format"],
  },
  {
    shows: "a script that is not there",
    config: { builder: { scripted: { script: "docs/none.json" } } },
    ends: refused("builder_unusable", /docs\/none\.json: there is no such file/),
  },
  {
    shows: "a placeholder that nobody fills in",
    program: "",
    config: { builder: { command: { args: ["{{task_file}}"] } } },
    ends: refused("builder_unusable", /`\{\{task_file\}\}`.*`\{\{task_path\}\}`/),
  },
  {
    shows: "an output file that git tracks",
    program: "",
    config: { builder: { command: { output_file: "README.md" } } },
    ends: refused("builder_unusable", /README\.md.*tracked by git/),
  },
];

const LOCKS: readonly Scenario[] = [
  {
    shows: "another relais works here, and comes to its end undisturbed",
    program: WAITS,
    before: async (world) => {
      world.other = world.start(["run", "--task", join(world.box, "task.json"), "--json"]);
      const isBuilding = (): boolean => existsSync(join(world.box, "home", "building"));
      // For a moment its session has a folder for temporary files.
      const isTidy = (): boolean => readdirSync(join(world.box, "tmp")).length === 0;
      await expect.poll(() => isBuilding() && isTidy(), { timeout: 20_000 }).toBe(true);
    },
    ends: {
      ...LOCK_HELD,
      cause: "lock_held",
      message: /^Process \d+ on \S+ has been running here since /,
      after: async ({ box, other }) => {
        writeFileSync(join(box, "home", "go"), "");
        expect(await other?.ended).toMatchObject({ status: 0, stderr: "" });
      },
    },
  },
  {
    shows: "a lock that is damaged",
    before: ({ put }) => put({ "relais/lock.json": "{" }),
    ends: {
      ...LOCK_HELD,
      cause: "lock_corrupt",
      message: /relais\/lock\.json is damaged/,
      after: ({ read }) => expect(read("relais/lock.json")).toBe("{"),
    },
  },
  {
    shows: "a damaged lock at the place that the configuration names",
    keys: ["runner.lockfile"],
    config: { runner: { lockfile: "relais/goals/lock.json" } },
    before: ({ put }) => put({ "relais/goals/lock.json": "{" }),
    ends: { ...LOCK_HELD, cause: "lock_corrupt", message: /relais\/goals\/lock\.json is damaged/ },
  },
  {
    shows: "a lock of a process that is gone is taken over",
    before: ({ put }) => put({ "relais/lock.json": JSON.stringify(lockOf(spawnSync("true").pid)) }),
    ends: { code: "SUCCESS", changed: ["src/main.ts"] },
  },
  {
    shows: "a journal that was changed",
    before: async (world) => {
      await world.run();
      world.git("checkout", "-q", ".");
      const path = join(world.state(), "journal.jsonl");
      writeFileSync(path, readFileSync(path, "utf8").replace('"in_place"', '"overlay"'));
    },
    ends: {
      code: "BLOCKED_CRASH_RECOVERY_REQUIRED",
      cause: "journal_corrupt",
      message: /journal\.jsonl is damaged at line \d+: /,
      isRefused: true,
    },
  },
];

export const REFUSED: readonly Scenario[] = [...PLACES, ...CONFIGURATIONS, ...LOCKS];
