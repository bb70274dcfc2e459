import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { AgentEvent } from "../../src/records/agent-event.ts";
import { SHIPPED_SCHEMAS } from "../../src/workspace/shipped-files.ts";
import { agentRepository, driverOf, runSession } from "../support/agent-session.ts";

const KEY = "sk-ant-a-key-of-the-test";
const before = { ...process.env };
afterEach(() => {
  process.env = { ...before };
});

interface Played {
  /** The name of the recording that the stand-in prints. */
  readonly recording: string;
  readonly status?: number;
  /** Words of the recording in whose place its key is told. */
  readonly leaksFor?: string;
  readonly config?: object;
  readonly request?: Parameters<typeof runSession>[2];
}

/** A session of a program that remembers how it was called and prints what the real one once printed. */
async function play({ recording, status = 0, leaksFor = "nothing", config = {}, request = {} }: Played) {
  const repository = agentRepository();
  const program = join(repository.box, "claude");
  const printed = join(import.meta.dirname, `../fixtures/claude/${recording}.jsonl`);
  const lines = [
    "#!/bin/sh",
    'cat > "$0.stdin"; for arg; do printf "%s\\0" "$arg"; done > "$0.args"; env > "$0.env"',
    `cat "$(dirname "$0")/repo/relais/.tmp/"*/SYSTEM.txt > "$0.system" 2> /dev/null`,
    `echo "the key is $ANTHROPIC_API_KEY" >&2`,
    `sed "s/${leaksFor}/$ANTHROPIC_API_KEY/" '${printed}'; exit ${status}`,
  ];
  writeFileSync(program, `${lines.join("\n")}\n`);
  chmodSync(program, 0o755);
  process.env = { ...before, HOME: repository.box, ANTHROPIC_API_KEY: KEY };
  delete process.env["CLAUDE_CONFIG_DIR"];
  const events: AgentEvent[] = [];
  const driver = await driverOf(repository, { claude_code_cli: { command: program }, ...config });
  const reply = await runSession(driver, repository, { onEvent: (event) => events.push(event), ...request });
  const left = (name: string) => readFileSync(`${program}.${name}`, "utf8");
  return { repository, reply, events, left, args: left("args").split("\0").slice(0, -1) };
}

test("a builder is asked on standard input, where no word is taken for a command", async () => {
  const { reply, left, args, events, repository } = await play({
    recording: "build",
    request: {
      prompt: "/help @src/a.ts",
      system: "You build.",
      model: "sonnet",
      maxTurns: 3,
      scope: { allowed: ["src/**"], forbidden: [".env"] },
    },
  });
  expect(left("stdin")).toBe("\n/help @src/a.ts");
  expect(left("system")).toBe("You build.");
  expect(args.slice(args.indexOf("--max-turns"))).toEqual([
    "--max-turns",
    "3",
    "--model",
    "sonnet",
    "--fallback-model",
    "haiku",
    "--system-prompt-file",
    expect.stringMatching(/\/relais\/\.tmp\/[0-9a-f]+\/SYSTEM\.txt$/),
  ]);
  expect(args[args.indexOf("--settings") + 1]).toContain(`"Edit(/${repository.root}/src/**)"`);
  expect(left("env")).toMatch(/^CLAUDE_CODE_DISABLE_ATTACHMENTS=1$/m);
  expect(left("env")).toMatch(/^RELAIS_DROP=.*\/relais\/\.tmp\/[0-9a-f]+$/m);
  expect(reply).toMatchObject({
    kind: "finished",
    usage: { input_tokens: 480, cached_input_tokens: 0, output_tokens: 120, cost_usd: 0.0054 },
    notes: ["Write was denied: other/no.ts"],
    survivors: [],
    undead: [],
  });
  expect(events).toContainEqual({ type: "tool_call", tool: "Edit", target: "src/x.ts" });
  expect(events.at(-1)).toMatchObject({ type: "usage", outputTokens: 120, costUsd: 0.0054 });
});

test("a session that is limited to some tools has no others", async () => {
  const { args } = await play({
    recording: "build",
    request: { tools: ["Read", "Bash(just *)", "Telepathy"] },
  });
  expect(args[args.indexOf("--tools") + 1]).toBe("Read,Bash");
  expect(JSON.parse(args[args.indexOf("--settings") + 1] ?? "")).toEqual({
    permissions: { allow: ["Read", "Bash(just *)"], deny: [] },
  });
});

test("the transcript is what was printed, without the key", async () => {
  const { repository } = await play({ recording: "build" });
  const log = readFileSync(join(repository.runDirectory, "builder.log"), "utf8");
  expect(log).toContain('"type":"result"');
  expect(log).toContain("the key is [redacted]\n");
  expect(log).not.toContain(KEY);
});

test("a schema at whose top there is a choice comes back without its envelope", async () => {
  const schema: unknown = SHIPPED_SCHEMAS["task.schema.json"];
  if (typeof schema !== "object") throw new Error("there is no schema");
  const { args, reply } = await play({ recording: "structured", request: { schema } });
  expect(JSON.parse(args.at(-1) ?? "")).toMatchObject({ type: "object", required: ["answer"] });
  expect(reply).toMatchObject({ kind: "finished", result: { kind: "left" } });
});

test("a limit is told to the watcher, with its end", async () => {
  const { reply, events } = await play({ recording: "usage-limit", status: 1 });
  const until = "2026-11-18T11:06:40.000Z";
  expect(reply).toMatchObject({ kind: "failed", code: "STOP_RATE_LIMITED", cause: "usage_limit", until });
  expect(events.at(-1)).toMatchObject({ type: "limit", until });
});

test("what bypassPermissions means stands in the report", async () => {
  const config = { builder: { claude_code: { permission_mode: "bypassPermissions" } } };
  const { reply, left } = await play({ recording: "thinking", config });
  expect(reply.notes).toEqual([expect.stringContaining("bypassPermissions: every tool was open")]);
  expect(left("env")).not.toMatch(/^IS_SANDBOX=/m);
});

test.each([
  ['{"apiKeyHelper": "echo key"}', "user"],
  ['{"env": {"ANTHROPIC_BASE_URL": "http://gateway"}}', "user"],
  ['{"env": {"EDITOR": "vi"}, "hooks": {}}', ""],
  ["{ not JSON", ""],
])("a person's settings %s are read where a login may depend on them: %j", async (settings, sources) => {
  const repository = agentRepository();
  writeFileSync(join(repository.box, "settings.json"), settings);
  const program = join(repository.box, "claude");
  writeFileSync(program, '#!/bin/sh\nfor arg; do printf "%s\\0" "$arg"; done > "$0.args"\n');
  chmodSync(program, 0o755);
  process.env = { ...before, CLAUDE_CONFIG_DIR: repository.box };
  const driver = await driverOf(repository, { claude_code_cli: { command: program } });
  expect(await runSession(driver, repository)).toMatchObject({ kind: "failed", cause: "interrupted" });
  const args = readFileSync(`${program}.args`, "utf8").split("\0");
  expect(args[args.indexOf("--setting-sources") + 1]).toBe(sources);
});

test("a program that is not there is no failure of the session", async () => {
  const repository = agentRepository();
  const driver = await driverOf(repository, { claude_code_cli: { command: "no-such-claude" } });
  expect(await runSession(driver, repository)).toMatchObject({
    kind: "not-found",
    program: "no-such-claude",
  });
});

test.each(["I look first", "x is 2", "cat src"])(
  "a key that the agent tells is neither shown nor kept: %s",
  async (leaksFor) => {
    const { reply, events } = await play({ recording: "build", leaksFor });
    expect(JSON.stringify(events)).toMatch(/redacted/);
    const result = reply.kind === "finished" && reply.result.kind === "left" ? reply.result.data : [];
    expect(JSON.stringify(events) + JSON.stringify(reply) + Buffer.from(result).toString()).not.toContain(KEY);
  },
);

test("what is planned is taken as it is, and only shown without what is secret", async () => {
  const { reply, events } = await play({
    recording: "build",
    leaksFor: "x is 2",
    request: { role: "orchestrator" },
  });
  const result = reply.kind === "finished" && reply.result.kind === "left" ? reply.result.data : [];
  expect(Buffer.from(result).toString()).toContain(KEY);
  expect(JSON.stringify(events)).not.toContain(KEY);
});

test("what is quoted from its complaints holds no key", async () => {
  const { reply } = await play({ recording: "empty", leaksFor: "result", status: 3 });
  expect(reply).toMatchObject({
    kind: "failed",
    cause: "exit_3",
    message: expect.stringContaining("the key is [redacted]"),
  });
});
