/** What doctor makes of the answers of an agent about itself. */
import { expect, test } from "vitest";
import { parseClaudeStatus } from "../../src/agents/claude-status.ts";
import { parseCodexStatus } from "../../src/agents/codex-status.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import { type DoctorQuestion, reportClaude, reportCodex } from "../../src/setup/doctor-machine.ts";

type Status = "ok" | "warn" | "fail";

function questionOf(role: DoctorQuestion["role"], program: string, given: object = {}): DoctorQuestion {
  const config = parseConfig(given);
  if (config.kind === "invalid") throw new Error("the configuration of the test is none");
  return { role, program, config: config.value, environment: {} };
}

const said = (text: string, status = 0) => ({ status, stdout: text, stderr: "" });
const complained = (text: string, status = 1) => ({ status, stdout: "", stderr: text });

const CLAUDE = {
  version: said("2.1.197 (Claude Code)\n"),
  login: said('{"loggedIn": true, "authMethod": "api_key", "apiKeySource": "ANTHROPIC_API_KEY"}\n'),
  options: complained("Error: Input must be provided\n"),
};

test.each<[string, Partial<typeof CLAUDE>, Status, RegExp]>([
  ["a login", {}, "ok", /^claude_code: \/bin\/claude, version 2\.1\.197, logged in by api_key$/],
  ["no login", { login: said('{"loggedIn": false, "authMethod": "none"}\n', 1) }, "fail", /is not logged in/],
  ["a question that it does not know", { login: said("unknown command\n", 1) }, "warn", /does not say whether/],
  ["nothing", { version: said("", 1), login: said("", 1), options: complained("") }, "warn", /unknown version/],
  [
    "an option that it does not know",
    { options: complained("error: unknown option '--tools'\n") },
    "fail",
    /does not support the options/,
  ],
  [
    "a mode that it refuses to root",
    { options: complained("--dangerously-skip-permissions cannot be used with root/sudo privileges\n") },
    "ok",
    /logged in by api_key$/,
  ],
  ["something else", { options: complained("what?\n") }, "warn", /may not support the options/],
])("Claude Code answers with %s", (_, ...[answers, status, words]) => {
  const known = parseClaudeStatus({ ...CLAUDE, ...answers });
  const check = reportClaude(questionOf("builder", "/bin/claude"), known);
  expect(check).toMatchObject({ status, message: expect.stringMatching(words) });
  // A task from a file needs no planning.
  const planner = reportClaude(questionOf("orchestrator", "/bin/claude"), known);
  expect(planner.status).toBe(status === "fail" ? "warn" : status);
});

const CODEX = {
  version: said("codex-cli 0.166.0\n"),
  login: complained("Logged in using ChatGPT\n", 0),
  options: complained("WARNING: something harmless\nNo prompt provided via stdin.\n"),
};
const NONE = { login: complained("Not logged in\n") };
const PROVIDER = [
  'model = "m"',
  'model_provider = "mine"',
  "[model_providers.other]",
  'env_key = "OTHER_KEY"',
  "[model_providers.mine]",
  'env_key = "MY_KEY"',
  "",
].join("\n");

interface Around {
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly own?: string;
}

test.each<[string, Partial<typeof CODEX>, Around, Status, RegExp]>([
  ["a login", {}, {}, "ok", /^codex: \/bin\/codex, version 0\.166\.0, logged in by ChatGPT$/],
  [
    "a key, of which it shows a part",
    { login: complained("API key configured - sk-proj-***defgh\n", 0) },
    {},
    "ok",
    /version 0\.166\.0, logged in by an API key$/,
  ],
  ["no login, and a key for its sessions", NONE, { env: { CODEX_API_KEY: "sk-1" } }, "ok", /by CODEX_API_KEY$/],
  ["no login", NONE, {}, "fail", /is not logged in/],
  ["no login, and a key that it does not use", NONE, { env: { OPENAI_API_KEY: "sk-1" } }, "fail", /is not logged in/],
  ["nothing", { login: said("", 2) }, {}, "warn", /does not say whether it is logged in/],
  ["no login, and a provider without its key", NONE, { own: PROVIDER }, "fail", /provider mine, .* key: MY_KEY/],
  [
    "no login, and a provider with its key",
    NONE,
    { own: PROVIDER, env: { MY_KEY: "k" } },
    "ok",
    /0\.166\.0, with the provider mine$/,
  ],
  [
    "no login, and a provider that the configuration names",
    NONE,
    { args: ["-c", 'model_provider="local"'] },
    "ok",
    /with the provider local$/,
  ],
  ["no login, and a provider of a table", NONE, { own: '[x]\nmodel_provider = "y"\n' }, "fail", /not logged/],
  [
    "an option that it does not know",
    { options: complained("error: unexpected argument '--ephemeral' found\n") },
    {},
    "fail",
    /does not support the options/,
  ],
  [
    "settings of its own that are broken",
    { options: complained("Error loading config.toml: extra =\n") },
    {},
    "fail",
    /does not support the options/,
  ],
  ["something else", { options: complained("what?\n") }, {}, "warn", /may not support the options/],
])("codex answers with %s", (_, ...[answers, around, status, words]) => {
  const known = parseCodexStatus({ ...CODEX, ...answers }, { env: {}, args: [], own: "", ...around });
  const check = reportCodex(questionOf("builder", "/bin/codex"), known);
  expect(check).toMatchObject({ status, message: expect.stringMatching(words) });
  expect(JSON.stringify(check)).not.toMatch(/defgh|sk-1/);
});
