import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { generateValue } from "../generate-value.ts";
import type { FuzzTarget } from "../target.ts";
import type { Random } from "../../../scripts/random.ts";
import { listClaudeHosts, needsUserSettings } from "../../../src/agents/claude-environment.ts";
import { Block, ClaudeLine } from "../../../src/agents/claude-line.ts";
import { listCodexHosts } from "../../../src/agents/codex-arguments.ts";
import { readTranscript, readTranscriptEvents } from "../../../src/agents/read-transcript.ts";
import { splitOutputLines } from "../../../src/agents/supervise-session.ts";
import type { TranscriptEntry } from "../../../src/records/transcript-entry.ts";
import { parseAllowedHost } from "../../../src/sandbox/allowed-hosts.ts";
import { parseJson } from "../../../src/system/parse-json.ts";
import { keepLogin } from "../../../src/sandbox/sandbox.ts";
import { createLogWriter } from "../../../src/cards/log-text.ts";

const DRIVERS = ["claude_code", "codex", "command"] as const;
const LOGIN = '{"token":"a","expires":1,"scopes":["x"]}';
const SETTINGS = '{"env":{"ANTHROPIC_BASE_URL":"https://a.example"},"apiKeyHelper":"x"}';
const TOML = 'model_provider = "a"\n[model_providers.a]\nbase_url = "https://b.example:444/v1"\nenv_key = "KEY"\n';
const USE =
  '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"x"}}]}}';
const RESULT =
  '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"Exit code 2\\nno"}]}}';
const ITEM =
  '{"type":"item.completed","item":{"type":"command_execution","command":"x","aggregated_output":"no","exit_code":1}}';
const CANVAS = { columns: 80, isFull: false, grep: null, style: (_tone: string, text: string) => text };
const SESSION = { name: "builder", driver: null, startedAt: "2026-01-15T10:00:00.000Z" };
const CONTROL = /(?![\n\t])\p{Cc}/u;

const Text = v.strictObject({ type: v.picklist(["said", "thought", "output", "note"]), text: v.string() });
const Used = v.strictObject({
  type: v.literal("used"),
  tool: v.string(),
  kind: v.picklist(["read", "write", "command", "search", "other"]),
  target: v.nullable(v.string()),
  status: v.picklist(["ok", "failed", "denied", "open"]),
  exit: v.nullable(v.pipe(v.number(), v.finite())),
  output: v.string(),
});
const Entry = v.variant("type", [Text, Used]);

/** Transcripts of sessions, which are read again later, and the settings and logins of the agents' programs. */
export const agentFiles: FuzzTarget = {
  name: "agent-files",
  seeds: () => [
    ...readdirSync("test/fixtures/claude").map((name) => readFileSync(join("test/fixtures/claude", name))),
    ...[LOGIN, SETTINGS, TOML, `${USE}\n${RESULT}\n${ITEM}\n`].map((text) => Buffer.from(text)),
  ],
  words: [
    "tool_use",
    '"name":"constructor"',
    "tool_use_id",
    "Exit code 1\n",
    "base_url = ",
    "ANTHROPIC_BASE_URL",
    "env",
  ],
  generate,
  check: async (data) => {
    const text = data.toString("utf8");
    checkLines(data);
    for (const driver of DRIVERS) checkTranscript(driver, text);
    const folder = mkdtempSync(join(tmpdir(), "relais-fuzz-"));
    try {
      for (const name of ["settings.json", "config.toml"]) writeFileSync(join(folder, name), data);
      await checkSettings(folder);
      await checkLogin(folder, data);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

function generate(random: Random): Buffer {
  const lines = Array.from({ length: 1 + random.below(5) }, () => {
    const line: unknown = generateValue(ClaudeLine, random);
    const content = Array.from({ length: random.below(3) }, () => generateValue(Block, random));
    return JSON.stringify(
      random.below(3) === 0 ? line : { type: random.pick(["assistant", "user"]), message: { content } },
    );
  });
  return Buffer.from(lines.join("\n"));
}

/** The same lines, however the output was cut into chunks. */
function checkLines(data: Buffer): void {
  const [whole, cut] = [data.length, 7].map((size) => {
    const lines: string[] = [];
    const split = splitOutputLines((line) => lines.push(line));
    for (let at = 0; at < data.length; at += size) split.take(data.subarray(at, at + size));
    split.end();
    return lines;
  });
  assert.deepEqual(cut, whole, "other lines in other chunks");
}

/** Every entry is one that a person can be shown, and is shown without control characters. */
function checkTranscript(driver: (typeof DRIVERS)[number], text: string): void {
  const reader = readTranscript(driver);
  const entries: readonly TranscriptEntry[] = [...text.split("\n").flatMap(reader.line), ...reader.rest()];
  for (const entry of entries) v.parse(Entry, entry);
  assert.deepEqual(
    reader.rest().filter(({ type }) => type === "used"),
    [],
    "a tool that is open twice",
  );
  const write = createLogWriter(CANVAS);
  assert.doesNotMatch(write(entries.map((entry) => ({ session: SESSION, entry }))), CONTROL);
  const read = readTranscriptEvents(driver, (event) => {
    for (const value of Object.values(event)) assert(value === null || ["string", "number"].includes(typeof value));
  });
  for (const line of text.split("\n")) read(line);
}

/** Whatever they say, they are places that the sandbox can compare, and the maker's are among them. */
async function checkSettings(folder: string): Promise<void> {
  const claude = await listClaudeHosts({ CLAUDE_CONFIG_DIR: folder });
  const codex = await listCodexHosts([], { CODEX_HOME: folder });
  for (const host of [...claude, ...codex]) {
    const allowed = parseAllowedHost(host);
    assert(allowed === null || (allowed.host !== "" && allowed.port > 0 && allowed.port <= 65_535), host);
  }
  assert(claude.includes("api.anthropic.com") && codex.includes("api.openai.com"));
  assert.equal(typeof (await needsUserSettings({ CLAUDE_CONFIG_DIR: folder })), "boolean");
}

/** A session can renew a login, and can make nothing else of it. */
async function checkLogin(folder: string, data: Buffer): Promise<void> {
  const [path, kept] = [join(folder, "agent"), join(folder, "kept")];
  mkdirSync(path);
  writeFileSync(join(path, "login.json"), LOGIN);
  const login = await keepLogin(path, { variable: "X", folder: "x", file: "login.json" }, kept);
  writeFileSync(join(kept, "up", "login.json"), data);
  await login.writeBack();
  const after = readFileSync(join(path, "login.json"));
  if (after.toString("utf8") === LOGIN) return;
  assert(after.equals(data), "another login than the session left");
  assert.deepEqual(describeForm(parseJson(data.toString("utf8"))), describeForm(parseJson(LOGIN)));
}

function describeForm(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  return Object.entries(value)
    .map(([key, inner]) => [key, describeForm(inner)])
    .toSorted(([one], [other]) => String(one).localeCompare(String(other)));
}
