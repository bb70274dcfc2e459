import { expect, test } from "vitest";
import { listClaudeArguments, type ClaudeCall, makeClaudeSettings } from "../../src/agents/claude-arguments.ts";
import { listClaudeLoginNames, makeClaudeVariables } from "../../src/agents/claude-environment.ts";
import { parseConfig } from "../../src/config/parse-config.ts";

const CALL: ClaudeCall = {
  model: "sonnet",
  maxTurns: 8,
  permissions: { tools: "Read,Edit", rules: { allow: ["Read", "Edit(//repo/src/**)"], deny: [] } },
  schema: null,
  systemPath: null,
  needsUserSettings: false,
};

type Role = Parameters<typeof makeClaudeSettings>[1];

function settings(document: object = {}, role: Role = "builder") {
  const config = parseConfig(document);
  if (config.kind === "invalid") throw new Error(JSON.stringify(config.problems));
  return makeClaudeSettings(config.value, role);
}

const argv = (document?: object, call: Partial<ClaudeCall> = {}) =>
  listClaudeArguments(settings(document), { ...CALL, ...call });

/** The value after an option; undefined where the option is not there. */
const after = (args: readonly string[], option: string) =>
  args.includes(option) ? args[args.indexOf(option) + 1] : undefined;

test("a builder of the usual configuration", () => {
  expect(argv()).toEqual([
    "-p",
    "--output-format",
    "stream-json",
    "--verbose",
    "--no-session-persistence",
    "--strict-mcp-config",
    "--setting-sources",
    "",
    "--permission-mode",
    "dontAsk",
    "--tools",
    "Read,Edit",
    "--settings",
    '{"permissions":{"allow":["Read","Edit(//repo/src/**)"],"deny":[]}}',
    "--max-turns",
    "8",
    "--model",
    "sonnet",
    "--fallback-model",
    "haiku",
  ]);
});

test("every key has its argument", () => {
  const args = argv(
    {
      claude_code_cli: { output_format: "json", no_session_persistence: false },
      builder: { claude_code: { max_budget_usd: 0.5, permission_mode: "acceptEdits" } },
      roles: { builder: { fallback_models: ["a", "b"], effort: "high" } },
    },
    { schema: { type: "object" }, systemPath: "/drop/SYSTEM.txt", needsUserSettings: true },
  );
  expect(args).not.toContain("--verbose");
  expect(args).not.toContain("--no-session-persistence");
  expect(
    Object.fromEntries(
      ["--output-format", "--setting-sources", "--permission-mode", "--max-budget-usd", "--fallback-model"]
        .concat(["--effort", "--system-prompt-file", "--json-schema"])
        .map((option) => [option, after(args, option)]),
    ),
  ).toEqual({
    "--output-format": "json",
    "--setting-sources": "user",
    "--permission-mode": "acceptEdits",
    "--max-budget-usd": "0.5",
    "--fallback-model": "a,b",
    "--effort": "high",
    "--system-prompt-file": "/drop/SYSTEM.txt",
    "--json-schema": '{"type":"object"}',
  });
});

test("a kept session has a name, by which a repair resumes it", () => {
  const id = "11111111-2222-4333-8444-555555555555";
  const first = argv({}, { record: { id, earlier: null } });
  expect(after(first, "--session-id")).toBe(id);
  const second = argv({}, { record: { id, earlier: { spent: null } } });
  expect(after(second, "--resume")).toBe(id);
  for (const args of [first, second]) expect(args).not.toContain("--no-session-persistence");
});

test("a model is no fallback of itself, and none is none", () => {
  expect(argv({}, { model: "haiku" })).not.toContain("--fallback-model");
  expect(argv({ models: { builder_fallback_model: null } })).not.toContain("--fallback-model");
  expect(argv({}, { model: null })).not.toContain("--model");
});

test("a schema that would be too long for an argument is left out", () => {
  expect(argv({}, { schema: { title: "x".repeat(200_000) } })).not.toContain("--json-schema");
});

test("each role has tools and models of its own, and what is set for it wins", () => {
  expect(settings({}, "orchestrator")).toMatchObject({
    tools: "",
    permissionMode: "plan",
    fallbackModels: ["sonnet"],
  });
  for (const role of ["reviewer", "verifier"] as const)
    expect(settings({}, role)).toMatchObject({ tools: "Read,Glob,Grep", permissionMode: "dontAsk" });
  const roles = { reviewer: { effort: "low", fallback_models: [] } };
  expect(settings({ roles }, "reviewer")).toMatchObject({ effort: "low", fallbackModels: [] });
});

test("a session without a number of turns is told none", () => {
  expect(after(argv({}, { maxTurns: 300 }), "--max-turns")).toBe("300");
  expect(argv({}, { maxTurns: null })).not.toContain("--max-turns");
});

test("a fallback needs the patience that it takes", () => {
  expect(Number(makeClaudeVariables({ hasFallback: true })["CLAUDE_CODE_MAX_RETRIES"])).toBeGreaterThanOrEqual(3);
  expect(Number(makeClaudeVariables({ hasFallback: false })["CLAUDE_CODE_MAX_RETRIES"])).toBeLessThan(3);
  expect(makeClaudeVariables({ hasFallback: false })).not.toHaveProperty("IS_SANDBOX");
});

test("what a login needs is passed on, and a cloud's keys only where they are named", () => {
  const names = listClaudeLoginNames({
    ANTHROPIC_API_KEY: "a",
    ANTHROPIC_BASE_URL: "b",
    AWS_SECRET_ACCESS_KEY: "c",
  });
  expect(names).toEqual(expect.arrayContaining(["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "CLAUDE_CONFIG_DIR"]));
  expect(names).not.toContain("AWS_SECRET_ACCESS_KEY");
});
