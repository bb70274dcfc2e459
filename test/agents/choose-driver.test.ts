import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentRepository, choose } from "../support/agent-session.ts";

const command = (settings: object) => ({
  builder: { default_mode: "command", command: { command: "x", ...settings } },
});

async function problemOf(document: object, prepare: (root: string) => void = () => {}): Promise<string | null> {
  const repository = agentRepository();
  prepare(repository.root);
  const choice = await choose(repository, document);
  return choice.kind === "refused" ? choice.problem : null;
}

test("the driver `command` has the limits of the role before its own", async () => {
  const repository = agentRepository();
  const own = command({ timeout_seconds: 7 });
  expect(await choose(repository, own)).toMatchObject({
    kind: "ready",
    driver: { name: "command" },
    limits: { timeoutMs: 7000, idleTimeoutMs: null },
  });
  const roles = { builder: { timeout_seconds: 3, idle_timeout_seconds: 2 } };
  expect(await choose(repository, { ...own, roles })).toMatchObject({
    limits: { timeoutMs: 3000, idleTimeoutMs: 2000 },
  });
});

test("`cursor` is an older name of the driver `command`", async () => {
  const repository = agentRepository();
  const builder = { default_mode: "cursor", cursor: { command: "x", timeout_seconds: 7 } };
  expect(await choose(repository, { builder })).toMatchObject({
    driver: { name: "command" },
    limits: { timeoutMs: 7000 },
  });
  const misspelt = { ...builder, cursor: { command: "x", args: ["{{resultpath}}"] } };
  expect(await problemOf({ builder: misspelt })).toContain("`builder.cursor.args`");
});

test("the driver of the role wins over the mode of the builder", async () => {
  const repository = agentRepository();
  const roles = { builder: { driver: "scripted" } };
  expect(await choose(repository, { ...command({}), roles })).toMatchObject({ driver: { name: "scripted" } });
  expect(await problemOf({ roles: { builder: { driver: "command" } } })).toContain("needs `builder.command`");
});

test("a placeholder that nobody fills in is refused with the one that was meant", async () => {
  expect(await problemOf(command({ args: ["{{task_path}}", "-o", "x{{resultpath}}"] }))).toBe(
    "`builder.command.args` has the unknown placeholder `{{resultpath}}`; did you mean `{{result_path}}`?",
  );
  expect(await problemOf(command({ args: ["{{}}"] }))).toContain("known are `{{task_path}}`, ");
  expect(await problemOf(command({ args: ["{{ task_path }}"] }))).toContain("unknown placeholder");
  expect(await problemOf(command({ args: ["{a}", "{{", "}}", "{{run_id}}{{drop}}{{schema_path}}"] }))).toBeNull();
});

test.each([
  ["src/a.ts", "tracked by git"],
  ["src", "it is a folder"],
  [".git/result.json", "git's own data"],
  ["sub/.GIT/config", "git's own data"],
  ["./result.json", "write it without"],
  ["a//b", "write it without"],
  ["out/", "write it without"],
  ["relais/STATE.json", "only relais itself writes there"],
  ["relais/history/x.json", "only relais itself writes there"],
  ["linked/result.json", "links are not followed"],
  ["linked/deep/result.json", "links are not followed"],
])("an output file that would do harm is refused: %s", async (path, reason) => {
  const problem = await problemOf(command({ output_file: path }), (root) => {
    symlinkSync(join(root, "src"), join(root, "linked"));
  });
  expect(problem).toContain(`\`builder.command.output_file\` is "${path}": `);
  expect(problem).toContain(reason);
});

function leaveStale(root: string): void {
  writeFileSync(join(root, "stale.json"), "{}");
}

test.each(["result.json", "relais/BUILDER_RESULT.json", "new/folder/result.json", "out/[r] *.json", "stale.json"])(
  "an output file may be %s",
  async (path) => {
    expect(await problemOf(command({ output_file: path }), leaveStale)).toBeNull();
  },
);

const scripted = (script: string) => ({ builder: { default_mode: "scripted", scripted: { script } } });

function writeScripts(root: string): void {
  mkdirSync(join(root, "s"));
  writeFileSync(join(root, "s/good.json"), '{"steps":[{"do":"sleep","ms":1}]}');
  writeFileSync(join(root, "s/bad.json"), '{"steps":[{"do":"wirte","path":"a","text":""}]}');
  writeFileSync(join(root, "s/none.json"), "steps");
  symlinkSync("good.json", join(root, "s/link.json"));
}

test.each([
  ["s/missing.json", "there is no such file"],
  ["s/link.json", "it cannot be read (link)"],
  ["s/bad.json", 'did you mean "write"?'],
  ["s/none.json", "expected an object"],
])("a script is read before anything begins: %s", async (path, reason) => {
  const problem = await problemOf(scripted(path), writeScripts);
  expect(problem).toContain("`builder.scripted.script`: ");
  expect(problem).toContain(reason);
});

test("a good script is no problem", async () => {
  expect(await problemOf(scripted("s/good.json"), writeScripts)).toBeNull();
});

test("codex is refused what it cannot do, before anything begins", async () => {
  const codex = { builder: { default_mode: "codex" } };
  expect(await problemOf(codex)).toBeNull();
  expect(await problemOf({ ...codex, roles: { builder: { fallback_models: [] } } })).toBeNull();
  const problem = await problemOf({ ...codex, roles: { builder: { fallback_models: ["other"] } } });
  expect(problem).toBe("`roles.builder.fallback_models` is set, but codex does not support it");
});

test.each([
  ["codex", { default_mode: "codex" }],
  ["Claude Code", { claude_code: { max_turns: 9 } }],
  ["a command", { default_mode: "cursor", cursor: { command: "x" } }],
])("the configured number of turns is what %s gets", async (_, builder) => {
  const repository = agentRepository();
  const roles = { builder: { max_turns: 300 } };
  expect(await choose(repository, { builder, roles })).toMatchObject({
    limits: { maxTurns: 300, keys: { turns: "roles.builder.max_turns" } },
  });
});

test("without a number there is none, and the section of Claude Code comes after the role", async () => {
  const repository = agentRepository();
  expect(await choose(repository, {})).toMatchObject({ limits: { maxTurns: null } });
  expect(await choose(repository, { builder: { claude_code: { max_turns: 9 } } })).toMatchObject({
    limits: { maxTurns: 9, keys: { turns: "builder.claude_code.max_turns" } },
  });
});
