import assert from "node:assert/strict";
import type { FuzzTarget } from "../target.ts";
import type { Random } from "../../../scripts/random.ts";
import { parseClaudeLogin } from "../../../src/agents/claude-status.ts";
import { findProvider, parseCodexLogin } from "../../../src/agents/codex-status.ts";
import { detectOptions, findVersionIn } from "../../../src/agents/program-status.ts";
import { isRecord } from "../../../src/base/quantity.ts";
import { parseJson } from "../../../src/system/parse-json.ts";

const KEY = "sk-proj-abcdefgh";
const VERSION_CHARS_MAX = 80;
const METHODS = ["ChatGPT", "an API key", "its own login"];
const SENTENCES = [
  ["Not logged in\n", "Logged in using ChatGPT\n", `Logged in using an API key - ${KEY}\n`, "Logged in\n", "\u001b[1m"],
  [
    "WARNING: 1.2.3\n",
    "codex-cli 0.46.0\n",
    "2.0.14 (Claude Code)\n",
    "v1.2.3\n",
    "1.2.3-alpha.1+x\n",
    `${"1".repeat(90)}.2.3\n`,
  ],
  ["error: unexpected argument '--x' found\n", "Error: x\n", "No prompt provided. x\n", "errors\n", "\r\n", "é"],
].flat();
const NAMES = ["openai", "azure", "a.b", "my-own", "x y", "constructor"];
const SETTINGS = ["[profiles.x]\n", "# model_provider\n", 'model = "x"\n', "[[a]]\n", " [ b ]\n"];

/** What programs of agents say about their version, their login and their options, and whom codex asks. */
export const agentLogins: FuzzTarget = {
  name: "agent-logins",
  seeds: () =>
    [
      JSON.stringify({ loggedIn: true, authMethod: "claude.ai", email: "a@example.com" }),
      JSON.stringify({ loggedIn: false, authMethod: "none" }),
      `Logged in using an API key - ${KEY}\n`,
      "codex-cli 0.46.0\n",
      'model_provider = "azure"\n[model_providers.azure]\nenv_key = "AZURE_KEY"\n',
    ].map((text) => Buffer.from(text)),
  words: [
    "loggedIn",
    "authMethod",
    "not logged in",
    "chatgpt",
    "api key",
    "model_provider = ",
    "env_key",
    "[",
    "1.2.3",
  ],
  generate: (random) => Buffer.from((random.pick([makeJson, makeWords, makeSettings]) ?? makeWords)(random)),
  check: (data) => {
    const text = data.toString("utf8");
    checkClaude(text);
    checkCodex(text);
    checkProgram(text);
    checkProvider(text);
  },
};

function makeJson(random: Random): string {
  const loggedIn = random.pick<unknown>([true, true, false, "true", 1, null, undefined]);
  const authMethod = random.pick<unknown>(["claude.ai", "api_key", "x".repeat(60), undefined, null, 3, "\u001b[2J"]);
  return JSON.stringify({ loggedIn, authMethod, apiKeySource: KEY });
}

function makeWords(random: Random): string {
  return Array.from({ length: random.below(4) }, () => random.pick(SENTENCES)).join("");
}

function makeSettings(random: Random): string {
  const lines = [
    ...SETTINGS,
    `model_provider = "${random.pick(NAMES)}"\n`,
    `[model_providers.${random.pick(NAMES)}]\n`,
    `[model_providers."${random.pick(NAMES)}"]\n`,
    `env_key = "KEY_${random.below(3)}"\n`,
  ];
  return Array.from({ length: random.below(9) }, () => random.pick(lines)).join("");
}

/** Logged in is what says so itself. */
function checkClaude(text: string): void {
  const login = parseClaudeLogin(text);
  const value = parseJson(text);
  const said = isRecord(value) ? value["loggedIn"] : undefined;
  if (login === "none") assert.equal(said, false);
  if (said !== true) assert(typeof login === "string", "a login that nobody named");
  if (typeof login === "string") return;
  assert(login.method.length <= 40 && !login.method.includes(KEY), "more than the kind of a login");
}

/** No part of a key is kept, and a program that failed is not logged in. */
function checkCodex(text: string): void {
  for (const status of [0, 1, null])
    for (const answer of [
      { status, stdout: text, stderr: "" },
      { status, stdout: "", stderr: text },
    ]) {
      const login = parseCodexLogin(answer);
      assert.equal(login === "none", /not logged in/iu.test(text));
      if (typeof login === "string") continue;
      assert(status === 0 && METHODS.includes(login.method), "a login of a program that failed");
    }
}

function checkProgram(text: string): void {
  const version = findVersionIn(text);
  assert(version === null || (/^\d+\.\d+\.\d+/u.test(version) && text.includes(version)), "no version");
  assert((version?.length ?? 0) <= VERSION_CHARS_MAX, "a version without an end");
  const options = detectOptions(text, /No prompt provided/iu);
  assert.equal(options.kind === "known", /no prompt provided/iu.test(text));
  if (options.kind !== "refused") return;
  assert(options.problem.length <= 300 && text.includes(options.problem) && /^error/iu.test(options.problem));
}

/** An argument wins; a line of a table names no provider, and a variable comes from the table of the provider alone. */
function checkProvider(settings: string): void {
  assert.equal(findProvider(["-c", "model_provider=openai"], settings), null);
  assert.equal(findProvider(["-c", "model_provider=mine"], settings)?.name, "mine");
  assert.equal(findProvider([], `[x]\n${settings}`), null, "a provider that a table names");
  const own = findProvider([], settings);
  if (own === null) return;
  assert.match(own.name, /^[\w.-]{1,80}$/u);
  const added = `\n[model_providers.other]\nenv_key = "OTHER"\n`;
  assert.deepEqual(findProvider([], settings + added), own.name === "other" ? findProvider([], settings + added) : own);
}
