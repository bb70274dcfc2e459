import { expect, test } from "vitest";
import { adaptCodexSchema, listCodexArguments } from "../../src/agents/codex-arguments.ts";
import { readShippedSchema } from "../../src/workspace/shipped-files.ts";

const SETTINGS = {
  command: "codex",
  model: null,
  effort: null,
  sandbox: "workspace-write",
  args: [],
} as const;

const argumentsFor = (role: "orchestrator" | "builder" | "reviewer" | "verifier", over: object = {}) =>
  listCodexArguments({ ...SETTINGS, ...over }, { role, cwd: '/a "b"', schemaPath: null, tools: null });
const after = (args: readonly string[], flag: string) => args[args.indexOf(flag) + 1];

test("only the builder may write, and only who plans has no tools", () => {
  for (const role of ["orchestrator", "reviewer", "verifier"] as const)
    expect(after(argumentsFor(role, { sandbox: "danger-full-access" }), "--sandbox")).toBe("read-only");
  expect(after(argumentsFor("builder"), "--sandbox")).toBe("workspace-write");
  expect(argumentsFor("orchestrator")).toContain("features.shell_tool=false");
  for (const role of ["builder", "reviewer", "verifier"] as const)
    expect(argumentsFor(role)).not.toContain("features.shell_tool=false");
});

test("nothing is fetched or reported, and the repository's own text steers nobody", () => {
  for (const role of ["orchestrator", "builder", "reviewer", "verifier"] as const)
    expect(argumentsFor(role)).toEqual(
      expect.arrayContaining([
        "--ephemeral",
        "analytics.enabled=false",
        "features.plugins=false",
        "features.unbounded_connection_retries=false",
        "project_doc_max_bytes=0",
        "skills.include_instructions=false",
        'projects={"/a \\"b\\""={trust_level="untrusted"}}',
      ]),
    );
});

test("a model and an effort only where they are configured, and own arguments last", () => {
  expect(argumentsFor("builder")).not.toContain("--model");
  const args = argumentsFor("builder", { model: "gpt-5.5", effort: 'a"b', args: ["-c", "x=1"] });
  expect(after(args, "--model")).toBe("gpt-5.5");
  expect(args).toContain('model_reasoning_effort="a\\"b"');
  expect(args.slice(-3)).toEqual(["-", "-c", "x=1"]);
  const withSchema = listCodexArguments(SETTINGS, {
    role: "builder",
    cwd: "/",
    schemaPath: "/d/SCHEMA.json",
    tools: null,
  });
  expect(after(withSchema, "--output-schema")).toBe("/d/SCHEMA.json");
});

test("a kept session has databases of its own, and is resumed with the same arguments", () => {
  const call = { role: "builder", cwd: "/", schemaPath: null, tools: null, databases: "/d/databases" } as const;
  const settings = { ...SETTINGS, args: ["-c", "x=1"] };
  const first = listCodexArguments(settings, { ...call, record: { id: "1", earlier: null } });
  expect(first).not.toContain("--ephemeral");
  expect(first).toContain('sqlite_home="/d/databases"');
  const second = listCodexArguments(settings, { ...call, record: { id: "1", earlier: { spent: null } } });
  expect(second.slice(-5)).toEqual(["-c", "x=1", "resume", "1", "-"]);
});

test("the result of a builder can be said strictly, the tasks of an orchestrator cannot", () => {
  const list = { type: "array", items: { type: "string" } };
  expect(adaptCodexSchema(readShippedSchema("builder_result"))).toEqual({
    type: "object",
    properties: {
      summary: { type: "string" },
      files_intended: list,
      commands_ran: list,
      notes: list,
      outcome: { type: "string", enum: ["done", "cannot", "test_is_wrong", "needs_decision"] },
      evidence: { type: "string" },
    },
    required: ["summary", "files_intended", "commands_ran", "notes", "outcome", "evidence"],
    additionalProperties: false,
  });
  expect(adaptCodexSchema(readShippedSchema("task"))).toBeNull();
});

const closed = (properties: object) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

test("whatever narrows is left out, and what cannot be said makes the whole unsayable", () => {
  const choice = { type: "string", enum: ["a", "b"] };
  expect(adaptCodexSchema({ ...closed({ choice }), anyOf: [{}], $schema: "x", title: "T" })).toEqual(
    closed({ choice }),
  );
  expect(adaptCodexSchema(closed({ x: { oneOf: [{ type: "null" }, { const: "k" }] } }))).toEqual(
    closed({ x: { anyOf: [{ type: "null" }, { type: "string", enum: ["k"] }] } }),
  );
  expect(adaptCodexSchema({ ...closed({ a: choice }), required: [] })).toBeNull();
  expect(adaptCodexSchema({ ...closed({ a: choice }), additionalProperties: true })).toBeNull();
  expect(adaptCodexSchema(closed({ a: { type: "array" } }))).toBeNull();
  expect(adaptCodexSchema(closed({ a: {} }))).toBeNull();
  expect(adaptCodexSchema({ anyOf: [closed({ a: choice })] })).toBeNull();
});

const off = (...tools: string[]) =>
  listCodexArguments(SETTINGS, { role: "builder", cwd: "/", schemaPath: null, tools }).filter((argument) =>
    /shell_tool|unified_exec|multi_agent|view_image|web_search/.test(argument),
  );

test("what a session is not limited to is switched off", () => {
  expect(off("Read")).toEqual([
    "features.shell_tool=false",
    "features.unified_exec=false",
    "features.multi_agent=false",
    "features.view_image=false",
    'web_search="disabled"',
  ]);
  expect(off("Bash(just *)", "view_image")).toEqual(["features.multi_agent=false", 'web_search="disabled"']);
});
