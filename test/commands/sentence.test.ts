import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sentenceWorld } from "../support/sentence-world.ts";

const CLAUDE = { agents: { claude: "in" } } as const;
const TYPO = "fix the typo in the greeting";

test("packages that are not installed are named before an agent starts", async () => {
  const manifest = { name: "greeter", scripts: { test: "a test" }, devDependencies: { tape: "*" } };
  const world = sentenceWorld({ ...CLAUDE, files: { "package.json": JSON.stringify(manifest) } });
  const warning = "! There is no node_modules, so checks may fail: `npm install` first.";
  expect((await world.relais("run", TYPO)).stderr.split("\n")[3]).toBe(warning);
  world.git("restore", ".");
  mkdirSync(join(world.root, "node_modules"));
  expect((await world.relais("run", TYPO)).stderr.split("\n")[3]).toBe("");
});

describe("a sentence in a repository without init", () => {
  test("is built, judged, checked and kept, and git shows nothing but the change", async () => {
    const world = sentenceWorld(CLAUDE);
    const { status, stdout, stderr } = await world.relais("run", TYPO);
    expect({ status, stdout, stderr }).toMatchObject({ status: 0, stdout: expect.stringContaining("Kept") });
    expect(stderr.split("\n").slice(0, 3)).toEqual([
      "Agent: Claude Code, model sonnet.",
      expect.stringMatching(/^Scope: .*src\/\*\*.*test\/\*\*.* Checks: test\.$/),
      "A passing change waits for `relais accept`; anything else is reverted.",
    ]);
    expect(world.git("status", "--porcelain")).toBe("M src/greet.js");
    expect(world.read("relais/.gitignore")).toMatch(/^\*$/m);
    expect(await world.ask("accept")).toMatchObject({ status: 0 });
    expect(world.git("status", "--porcelain")).toBe("");
    expect(world.git("show", "--name-only", "--format=", "HEAD")).toBe("src/greet.js");
  });

  test("waits for a decision about the change before it, which the refusal names", async () => {
    const world = sentenceWorld(CLAUDE);
    expect((await world.relais("run", TYPO)).status).toBe(0);
    const again = await world.relais("run", TYPO);
    expect({ ...again, isNamed: again.stdout.includes("relais accept") }).toMatchObject({ status: 11, isNamed: true });
    expect(again.stdout).not.toContain("stash");
    expect(await world.ask("run", TYPO)).toMatchObject({ document: { cause: "change_waits" } });
    writeFileSync(join(world.root, "other.txt"), "mine\n");
    expect(await world.ask("run", TYPO)).toMatchObject({ document: { cause: "dirty" } });
  });

  test("becomes an ordinary task in TASK.json and in the history, and its configuration is recorded", async () => {
    const world = sentenceWorld(CLAUDE);
    expect(await world.ask("run", TYPO)).toMatchObject({ status: 0, document: { code: "SUCCESS" } });
    expect(JSON.parse(world.read("relais/TASK.json"))).toMatchObject({
      task_id: expect.stringMatching(/^sentence-[0-9a-f]{12}$/),
      milestone_id: "sentences",
      task_kind: "execute",
      intent: TYPO,
      builder: { mode: "claude_code", instructions: TYPO },
      verification: { fast: [], slow: ["test"] },
    });
    expect((await world.relais("history", "show")).stdout).toContain(TYPO);
    const [run] = readdirSync(join(world.root, "relais/history"));
    expect(JSON.parse(world.read(`relais/history/${run ?? ""}/config.json`))).toMatchObject({
      roles: { builder: { driver: "claude_code" } },
      verification: { templates: [{ id: "test" }] },
    });
    expect(await world.ask("history", "replay")).toMatchObject({ status: 0 });
    expect(await world.ask("undo")).toMatchObject({ status: 0 });
    expect(world.read("src/greet.js")).toContain("wrold");
    expect(world.git("status", "--porcelain")).toBe("");
  });

  test("finds the checks and the scope that a written configuration leaves out, and only those", async () => {
    const world = sentenceWorld({ ...CLAUDE, files: { "relais.config.json": '{ "product_name": "greeter" }' } });
    const { status, stderr } = await world.relais("run", TYPO);
    expect({ status, lines: stderr.split("\n").slice(0, 2) }).toEqual({
      status: 0,
      lines: [
        "Agent: Claude Code, model sonnet.",
        expect.stringMatching(/^Scope: .*src\/\*\*.*test\/\*\*.* Checks: test\.$/),
      ],
    });
    const own = { verification: { templates: [] }, scope: { default_allowed_globs: ["src/**"] } };
    const other = sentenceWorld({ ...CLAUDE, files: { "relais.config.json": JSON.stringify(own) } });
    expect((await other.relais("run", TYPO)).stderr).toContain("Scope: src/**. Checks: none.");
  });

  test("does not count what git does not track", async () => {
    const world = sentenceWorld({ ...CLAUDE, files: { ".gitignore": "Makefile\n" } });
    writeFileSync(join(world.root, "Makefile"), "lint:\n\ttrue\n");
    const { stdout } = await world.relais("run", TYPO, "--dry-run");
    expect(stdout).toContain("Checks: test\n");
  });

  test("every other command answers without a configuration", async () => {
    const world = sentenceWorld(CLAUDE);
    for (const command of [["status"], ["doctor"], ["history", "list"], ["events"], ["recover"], ["tree"]])
      expect(JSON.stringify(await world.relais(...command, "--json"))).not.toContain("config_missing");
    expect(await world.ask("accept")).toMatchObject({ status: 10 });
    expect(await world.ask("undo")).toMatchObject({ status: 10 });
    expect(existsSync(join(world.root, "relais"))).toBe(false);
    expect(world.git("status", "--porcelain")).toBe("");
  });

  test("an invalid file is refused", async () => {
    const world = sentenceWorld({ ...CLAUDE, files: { "relais.config.json": "{" } });
    expect(await world.ask("run", TYPO)).toMatchObject({ status: 11, document: { cause: "config_not_json" } });
  });
});

describe("the options of a sentence", () => {
  const shared = sentenceWorld(CLAUDE);

  test.each([
    [["run", TYPO, "--task", "t.json"], /a sentence and --task exclude each other/],
    [["run", TYPO, "--patch", "p.patch"], /a sentence and --patch exclude each other/],
    [["run", "--file", "x", "--task", "t.json"], /--file and --task exclude each other/],
    [["run", ""], /the sentence is empty/],
    [["run", "  \n"], /the sentence is empty/],
    [["run", "fix", "it"], /put it in quotes/],
    [["run", "--file", "nowhere.md"], /the file nowhere\.md does not exist/],
    [["run", "x".repeat(32_001)], /too long: at most 32000 characters/],
    [["run", TYPO, "--agent", "command"], /builder\.command/],
    [["run", TYPO, "--agent", "cursor"], /--agent is claude, codex or command/],
    [["run", TYPO, "--check", "lint"], /"lint" is no check .*there is test/],
    [["run", TYPO, "--check", "test", "--no-checks"], /exclude each other/],
    [["run", TYPO, "--allow", "../x"], /cannot be used/],
    [["run", TYPO, "--max-lines", "0"], /, 1 to/],
    [["run", "--task", "t.json", "--max-lines", "5"], /a task has its own/],
    [["run", "--patch", "p.patch", "--agent", "codex"], /no agent is called/],
    [["loop", "--check", "lint"], /"lint" is no check/],
    [["goal", "Reach it soon", "--agent", "command"], /builder\.command/],
    [["tree", "run", "--check", "test", "--check", "other"], /one guard/],
  ] as const)("mistake %#", async (args, message) => {
    const { status, stderr } = await shared.relais(...args);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(message) });
    expect(shared.git("status", "--porcelain", "--ignored")).toBe("");
  });

  test("--dry-run shows the prompt, the scope and the caps, and writes nothing", async () => {
    const world = shared;
    const { status, stdout } = await world.relais("run", TYPO, "--dry-run");
    expect(status).toBe(0);
    expect(stdout).toContain("Caps: 1 session, 15 minutes, 200 turns, no dollar cap set");
    expect(stdout).toMatch(/^Allowed: .*src\/\*\*/m);
    expect(stdout).toMatch(/^Prompt:\n[^]*fix the typo in the greeting/m);
    expect(world.git("status", "--porcelain", "--ignored")).toBe("");
    expect(await world.ask("run", TYPO, "--dry-run")).toMatchObject({
      document: { would_start: true, prompt: expect.stringContaining(TYPO), caps: { dollars: null } },
    });
  });
});
