/** Series in a repository without a configuration file, and the options that they share with `run`. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { executable } from "../support/relais.ts";
import { sentenceWorld, type SentenceWorld } from "../support/sentence-world.ts";

const CODEX = { agents: { codex: "in" } } as const;
const RESULT = { summary: "Done.", files_intended: [], commands_ran: [], notes: [] };
const STOP = { task_id: "T-9", milestone_id: "M-1", control: { action: "stop", reason: "all done" } };
const QUESTION = {
  task_id: "T-0",
  milestone_id: "M-1",
  task_kind: "question",
  intent: "Ask",
  question: { prompt: "Which one?" },
};
const task = (id: string, verification: object = { fast: [], slow: [] }) => ({
  task_id: id,
  milestone_id: "M-1",
  task_kind: "execute",
  intent: `Do ${id}`,
  scope: { allowed_globs: ["**"], forbidden_globs: [], allow_new_files: false, allow_lockfile_changes: false },
  diff_limits: { max_files_touched: 5, max_lines_changed: 50 },
  verification,
  builder: { mode: "codex", instructions: `Do ${id}.` },
});

/** The greeting changes in every session; the first one also gives the project another check. */
const BUILDS = [
  'echo "// $n" >> src/greet.js',
  `if [ "$n" = 1 ]; then echo '{"scripts":{"test":"a test","lint":"a lint"}}' > package.json; fi`,
];
const ONLY_BUILDERS = `case "$n" in 1|3) ${BUILDS.join("; ")};; esac`;

function writeGoal({ put }: SentenceWorld): void {
  put({ "relais/GOAL.md": "A better greeting.\n" });
}

test("a loop keeps the configuration that it found, whatever its builders change", async () => {
  const answers = [task("T-1"), RESULT, task("T-2"), RESULT, STOP];
  const world = sentenceWorld({ ...CODEX, does: ONLY_BUILDERS, answers });
  writeGoal(world);
  const looped = await world.ask("loop", "--allow", "**", "--model", "gpt-x", "--check", "test", "--max-lines", "40");
  expect(looped).toMatchObject({
    status: 0,
    // The named check ran, although no task asked for it.
    document: { end: "complete", ticks: { success: 3 }, budgets: { verify_runs: 2 }, config: "found" },
  });
  const [first, second] = world.starts();
  expect(first?.series).toMatchObject({
    config: "found",
    choices: { agent: "codex", model: "gpt-x", checks: ["test"], max_lines: 40 },
  });
  expect(second?.config_sha256).toBe(first?.config_sha256);
  expect(world.git("status", "--porcelain")).toBe("");
});

const COMPLETE = {
  decision: "complete",
  evidence: ["file: src/greet.js"],
  gaps: [],
  blocker: null,
  blocker_id: null,
  confidence_score: 0.9,
  explanation: "Looked.",
};

const COMMITS_ONCE = 'if [ "$n" = 0 ]; then echo "// $n" >> src/greet.js; fi';

test.each([
  [["goal", "A better greeting!"], COMMITS_ONCE, [{ receipt: "Done." }, COMPLETE], "a-better-greeting"],
  [["loop", "--allow", "**"], ONLY_BUILDERS, [task("T-1"), RESULT, STOP], "loop"],
])("%s leaves main alone, says so first, and its end prints what merges it", async (command, does, answers, slug) => {
  const world = sentenceWorld({ ...CODEX, does, answers });
  writeGoal(world);
  world.git("branch", "--force", "main");
  world.git("switch", "--quiet", "main");
  const { status, stdout } = await world.relais(...command);
  const said = /^Its commits go to the branch (?<name>\S+), because this one is protected\.$/mu.exec(stdout);
  const branch = said?.groups?.["name"] ?? "";
  expect(branch).toMatch(new RegExp(`^relais/${slug}-[0-9a-f]{4}$`, "u"));
  expect(said?.index).toBeLessThan(stdout.indexOf("kept"));
  const merge = /^ {2}merge +(?<line>git switch main && git merge \S+)$/mu.exec(stdout)?.groups?.["line"] ?? "";
  expect({ status, merge }).toEqual({ status: 0, merge: `git switch main && git merge ${branch}` });
  expect(world.git("rev-list", "--count", `main..${branch}`)).toBe("1");
  spawnSync("sh", ["-c", merge], { cwd: world.root });
  expect(world.git("rev-parse", "main")).toBe(world.git("rev-parse", branch));
});

const NEW_FILE = 'if [ "$n" = 0 ]; then echo "export {};" > src/new.js; fi';

test.concurrent.each([
  ["inside its scope", {}, [], "src/new.js"],
  ["not with --no-new-files", {}, ["--no-new-files"], ""],
  ["not where the configuration says so", { goal: { scope: { allow_new_files: false } } }, [], ""],
])("a goal makes files %s", async (_, rule, options, made) => {
  const verification = { templates: [] };
  const rules = { verification, builder: { default_mode: "codex" }, git: { protected_branches: [] }, ...rule };
  const files = { "relais.config.json": JSON.stringify(rules) };
  const world = sentenceWorld({ ...CODEX, files, does: NEW_FILE, answers: [{ receipt: "Done." }, COMPLETE] });
  const { document } = await world.ask("goal", "A new file", "--max-turns", "1", ...options);
  expect(document).toMatchObject({ end: made === "" ? "needs_human" : "complete" });
  expect(world.git("ls-files", "src/new.js")).toBe(made);
});

test.concurrent.each([
  ["inside its scope", [], "done"],
  ["not with --no-new-files", ["--no-new-files"], "failed"],
])("a submitted sentence makes files %s", async (_, options, outcome) => {
  const world = sentenceWorld({ ...CODEX, does: NEW_FILE });
  expect(await world.ask("submit", "run", "Make a file", "--repairs", "0", ...options)).toMatchObject({ status: 0 });
  await world.relais("worker", "--drain", "--unsandboxed");
  expect(await world.ask("queue")).toMatchObject({ document: { jobs: [{ phase: outcome }] } });
});

test("each check that was found is required of a plan that names none", async () => {
  const does = 'if [ "$n" = 1 ]; then echo "// $n" >> src/greet.js; fi';
  const world = sentenceWorld({ ...CODEX, does, answers: [task("T-1"), RESULT] });
  writeGoal(world);
  expect(await world.ask("run")).toMatchObject({ document: { verification: { runs: [{ template_id: "test" }] } } });
});

test("no planned task makes files where a person forbids it", async () => {
  const scope = { allowed_globs: ["**"], forbidden_globs: [], allow_new_files: true, allow_lockfile_changes: false };
  const answers = [{ ...task("T-1"), scope }, RESULT];
  const world = sentenceWorld({ ...CODEX, does: 'if [ "$n" = 1 ]; then echo new > src/new.js; fi', answers });
  writeGoal(world);
  expect(await world.ask("loop", "--no-new-files")).toMatchObject({
    document: { last_code: "STOP_SCOPE_VIOLATION_NEW_FILE" },
  });
});

test("a series that goes on keeps its choices, unless the command has others", async () => {
  const answers = [QUESTION, task("T-1"), RESULT, QUESTION, STOP];
  const world = sentenceWorld({ ...CODEX, does: 'if [ "$n" = 2 ]; then echo more >> src/greet.js; fi', answers });
  writeGoal(world);
  expect(await world.ask("loop", "--model", "gpt-x", "--allow", "src/**")).toMatchObject({
    status: 14,
    document: { end: "needs_human" },
  });
  await world.relais("answer", "this one");
  const resumed = await world.ask("loop", "--max-lines", "7");
  expect(resumed).toMatchObject({
    status: 14,
    document: { resumed: true, choices: { agent: "codex", model: "gpt-x", allow: ["src/**"], max_lines: 7 } },
  });
  const configs = world.starts().map(({ config_sha256 }) => config_sha256);
  expect(configs[1]).not.toBe(configs[0]);
  expect(configs[2]).toBe(configs[1]);
});

test("a tree goes on after the project changed, and ends where a configuration file appears", async () => {
  const answers = [{ status: "retry", summary: "half" }];
  const world = sentenceWorld({ ...CODEX, does: 'echo "// $n" >> src/greet.js', answers });
  expect((await world.relais("tree", "init")).status).toBe(0);
  world.commit({});
  expect(world.git("ls-files", "relais/.gitignore")).toBe("relais/.gitignore");
  expect(await world.ask("tree", "step", "--model", "gpt-x")).toMatchObject({ document: { reason: "step" } });
  world.commit({ "package.json": JSON.stringify({ scripts: { test: "a test", lint: "a lint" } }) });
  expect(await world.ask("tree", "step")).toMatchObject({ document: { resumed: true, reason: "step" } });
  expect(await world.ask("tree", "step", "--model", "gpt-y")).toMatchObject({ document: { reason: "step" } });
  expect(world.lastArguments("codex").join(" ")).toContain("--model gpt-y");
  world.commit({ "relais.config.json": '{"roles":{"builder":{"driver":"codex"}}}' });
  expect(await world.ask("tree", "step")).toMatchObject({ document: { end: "blocked", reason: "config_changed" } });
});

test("a tick that was killed is recovered with the configuration that it found", async () => {
  const world = sentenceWorld({ agents: { claude: "in" }, does: "echo half > src/greet.js; kill -9 $PPID; sleep 1" });
  const env = { HOME: world.box, XDG_STATE_HOME: join(world.box, "state"), PATH: join(world.box, "bin") };
  spawnSync(process.execPath, [executable, "run", "fix the typo"], { cwd: world.root, env });
  expect(await world.ask("status")).toMatchObject({ document: { unfinished: { phase: "build" } } });
  expect(await world.ask("recover")).toMatchObject({ status: 0 });
  expect(world.git("status", "--porcelain")).toBe("");
  expect(await world.ask("history", "replay")).toMatchObject({ status: 0 });
});

test("files that belong into git replace the ignore file that would hide them", async () => {
  const world = sentenceWorld({ agents: { claude: "in" } });
  expect((await world.relais("run", "fix the typo")).status).toBe(0);
  await world.relais("undo");
  expect(world.git("status", "--porcelain")).toBe("");
  await world.relais("tree", "init");
  expect(world.read("relais/.gitignore")).toContain("/STATE.json");
  expect(world.git("status", "--porcelain")).toBe("?? relais/");
});

test("a folder of that name with files of somebody else is not hidden from git", async () => {
  const world = sentenceWorld({ agents: { claude: "in" } });
  world.put({ "relais/own.py": "pass\n" });
  expect(await world.ask("run", "fix the typo")).toMatchObject({ document: { code: "BLOCKED_DIRTY_WORKTREE" } });
  expect(existsSync(join(world.root, "relais/.gitignore"))).toBe(false);
});

test("a campaign without a configuration stays out of git", async () => {
  const world = sentenceWorld({ agents: { claude: "in" } });
  expect((await world.relais("campaign", "init", "hello")).status).toBe(0);
  expect(world.git("status", "--porcelain")).toBe("");
});
