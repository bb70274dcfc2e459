/** What a sentence may change, who builds it, and its options. */
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { executable } from "../support/relais.ts";
import { FIX, sentenceWorld } from "../support/sentence-world.ts";

const CLAUDE = { agents: { claude: "in" } } as const;
const TYPO = "fix the typo in the greeting";

describe("a sentence", () => {
  test.concurrent.each([
    ["a lockfile", "echo x >> package-lock.json", "STOP_LOCKFILE_CHANGE_FORBIDDEN"],
    ["a secret", "echo x >> .env", "STOP_SCOPE_VIOLATION_FORBIDDEN"],
    ["CI", "echo x >> .github/workflows/ci.yml", "STOP_SCOPE_VIOLATION_FORBIDDEN"],
    ["the workspace", "echo x >> relais/.gitignore", "STOP_RUNNER_OWNED_MUTATION"],
  ])("never changes %s", async (_, does, code) => {
    const world = sentenceWorld({ ...CLAUDE, does });
    const { document } = await world.ask("run", TYPO, "--allow", "**");
    expect(document).toMatchObject({ verdict: "stop", code });
    expect(world.git("status", "--porcelain")).toBe("");
  });

  test.concurrent("makes files inside its scope; --no-new-files and a written rule forbid it", async () => {
    const world = sentenceWorld({ ...CLAUDE, does: "echo 'export {};' > src/new.js" });
    expect(await world.ask("run", TYPO)).toMatchObject({ status: 0, document: { code: "SUCCESS" } });
    await world.relais("undo");
    const refused = { status: 10, document: { code: "STOP_SCOPE_VIOLATION_NEW_FILE" } };
    expect(await world.ask("run", TYPO, "--no-new-files")).toMatchObject(refused);
    expect(await world.ask("run", TYPO, "--new-files", "--no-new-files")).toMatchObject({ status: 2 });
    const rule = { scope: { default_allow_new_files: false }, builder: { default_mode: "claude_code" } };
    world.commit({ "relais.config.json": JSON.stringify(rule) });
    expect(await world.ask("run", TYPO)).toMatchObject(refused);
    expect(await world.ask("run", TYPO, "--new-files")).toMatchObject({ status: 0 });
  });

  test.concurrent("--allow adds to the scope, --only replaces it, --max-lines limits the change", async () => {
    const world = sentenceWorld({ ...CLAUDE, does: "echo new > notes.txt; echo more >> index.js" });
    const outside = { status: 10, document: { code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED" } };
    expect(await world.ask("run", TYPO)).toMatchObject(outside);
    expect(await world.ask("run", TYPO, "--only", "*.txt")).toMatchObject(outside);
    expect(await world.ask("run", TYPO, "--only", "*.txt", "--allow", "index.js")).toMatchObject({ status: 0 });
    await world.relais("undo");
    expect(await world.ask("run", TYPO, "--allow", "*.txt")).toMatchObject({ document: { code: "SUCCESS" } });
    await world.relais("undo");
    const limited = await world.ask("run", TYPO, "--allow", "**", "--max-lines", "1");
    expect(limited).toMatchObject({ status: 10, document: { verdict: "stop" } });
  });

  test.concurrent("finds the documents, the examples and the manifest in its scope, not the lockfile", async () => {
    const files = { "CHANGELOG.md": "# Changes\n", "examples/data.json": "{}\n" };
    const all = "for path in CHANGELOG.md examples/data.json package.json; do echo ' ' >> $path; done";
    const world = sentenceWorld({ ...CLAUDE, files, does: `${FIX}; ${all}` });
    expect(await world.ask("run", TYPO)).toMatchObject({ status: 0, document: { blast_radius: { files_touched: 4 } } });
  });

  test.concurrent("a text comes from standard input", () => {
    const { root, box, read } = sentenceWorld(CLAUDE);
    const env = { HOME: box, XDG_STATE_HOME: join(box, "state"), PATH: join(box, "bin") };
    const ran = spawnSync(process.execPath, [executable, "run", "-", "--json"], { cwd: root, env, input: `${TYPO}\n` });
    expect(ran.status).toBe(0);
    expect(JSON.parse(read("relais/TASK.json"))).toMatchObject({ intent: TYPO });
    const empty = spawnSync(process.execPath, [executable, "run", "-"], { cwd: root, env, input: "\n" });
    expect({ status: empty.status, stderr: String(empty.stderr) }).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("the standard input is empty"),
    });
  });

  test.concurrent("a longer text comes from a file, whole for the builder and shortened as the intent", async () => {
    const world = sentenceWorld(CLAUDE);
    const text = `Fix the greeting. ${"Really. ".repeat(200)}`.trim();
    writeFileSync(join(world.box, "change.md"), `${text}\n`);
    expect(await world.ask("run", "--file", join(world.box, "change.md"))).toMatchObject({ status: 0 });
    const task: unknown = JSON.parse(world.read("relais/TASK.json"));
    expect(task).toMatchObject({ builder: { instructions: text }, intent: expect.stringMatching(/^Fix .{1000,}…$/) });
  });

  test.concurrent.each(["--json", "--quiet"])("%s prints no lines before the end", async (option) => {
    const world = sentenceWorld(CLAUDE);
    expect(await world.relais("run", TYPO, option)).toMatchObject({ status: 0, stderr: "" });
  });
});

describe("the agent", () => {
  test.concurrent("is the only one that is logged in", async () => {
    const world = sentenceWorld({ agents: { claude: "out", codex: "in" } });
    expect(await world.ask("run", TYPO)).toMatchObject({
      document: { code: "SUCCESS", usage: [{ driver: "codex" }] },
    });
    expect(world.lastArguments("codex")).not.toContain("--model");
  });

  test.concurrent("has to be chosen among several", async () => {
    const world = sentenceWorld({ agents: { claude: "in", codex: "in" } });
    expect(await world.ask("run", TYPO)).toMatchObject({
      status: 11,
      document: {
        cause: "agent_not_chosen",
        message: "Several agents are ready here: claude and codex.",
        remedy: expect.stringContaining("`--agent claude` or `--agent codex`"),
      },
    });
    expect(existsSync(join(world.root, "relais"))).toBe(false);
    expect(await world.ask("run", TYPO, "--agent", "codex", "--model", "gpt-x")).toMatchObject({
      document: { code: "SUCCESS", usage: [{ driver: "codex" }] },
    });
    expect(world.lastArguments("codex").join(" ")).toContain("--model gpt-x");
  });

  test.concurrent("of a written configuration is the documented default among several", async () => {
    const world = sentenceWorld({ agents: { claude: "in", codex: "in" }, files: { "relais.config.json": "{}" } });
    const { stdout } = await world.relais("run", TYPO, "--no-checks", "--allow", "src/**", "--dry-run");
    expect(stdout).toContain("Builder: claude_code");
  });

  test.concurrent.each([
    { agents: {}, cause: "agent_not_found", remedy: /Install Claude Code or Codex/ },
    { agents: { codex: "out" }, cause: "not_logged_in", remedy: /codex login/ },
  ] as const)("is missing: $cause", async ({ agents, cause, remedy }) => {
    const world = sentenceWorld({ agents });
    expect(await world.ask("run", TYPO)).toMatchObject({
      status: 11,
      document: { cause, remedy: expect.stringMatching(remedy) },
    });
  });

  test.concurrent("may be a command of the configuration", async () => {
    const config = JSON.stringify({ builder: { command: { command: "sh", args: ["-c", FIX] } } });
    const world = sentenceWorld({ ...CLAUDE, files: { "relais.config.json": config } });
    expect(await world.ask("run", TYPO, "--agent", "command", "--no-checks", "--allow", "src/**")).toMatchObject({
      document: { code: "SUCCESS" },
    });
  });
});
