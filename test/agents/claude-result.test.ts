import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { readClaudeEnding } from "../../src/agents/claude-code.ts";
import { recordedText, watched } from "../support/claude-recordings.ts";

const NOW = new Date(2026, 10, 15, 8, 0, 30).getTime();
const local = (...at: [number, number, number, number, number]) => new Date(...at).toISOString();
const NOTHING = { wrapper: undefined, until: null, retryAt: null, denials: [] };

function endingOf(text: string, end: { status?: number; stderr?: string; isEnveloped?: boolean } = {}) {
  const { status = 0, stderr = "", isEnveloped = false } = end;
  const seen = text === "" ? NOTHING : watched(text);
  return readClaudeEnding({ status, stderr, seen, isEnveloped, nowMs: NOW });
}

function textOf(ending: ReturnType<typeof endingOf>): string | null {
  if (ending.kind !== "finished" || ending.result.kind !== "left") return null;
  return Buffer.from(ending.result.data).toString("utf8");
}

const FAILED = [
  ["max-turns", "max_turns", /maximum number of turns/],
  ["budget-exceeded", "budget_exceeded", /maximum budget/],
  ["schema-unsatisfied", "schema_unsatisfied", /after 5 attempts/],
  ["error-400", "api_error_400", /scripted 400/],
  ["error-401", "api_error_401", /authenticate/],
  ["error-404", "model_unavailable", /selected model/],
  ["error-500", "api_error_500", /scripted 500/],
  ["connection-refused", "connection_failed", /ConnectionRefused/],
  ["connection-dropped", "connection_failed", /ECONNRESET/],
  ["malformed-response", "malformed_response", /proxy or gateway/],
  ["refusal", "refusal", /Usage Policy/],
  ["max-tokens", "max_tokens", /output token maximum/],
  ["not-logged-in", "not_logged_in", /Please run \/login/],
  ["interrupted", "interrupted", /was interrupted/],
] as const;
const LIMITED = [
  ["error-429", "api_error_429", null],
  ["error-529", "overloaded", null],
  ["usage-limit", "usage_limit", "2026-11-18T11:06:40.000Z"],
] as const;
const FINISHED = [
  ["build", '{"summary":"x is 2","files_intended":["src/x.ts"],"commands_ran":[],"notes":[]}'],
  ["structured", '{"n":4}'],
  ["schema-text", '{"n":4}'],
  ["retry", "{}"],
  ["thinking", '{"ok":true}'],
  ["usage-warning", "x"],
  ["empty", null],
] as const;

test.each(FAILED)("%s is told as %s", (name, cause, message) => {
  const ending = endingOf(recordedText(name), { status: 1 });
  expect(ending).toMatchObject({ kind: "failed", code: "STOP_INTERRUPTED", cause });
  expect(ending).toMatchObject({ message: expect.stringMatching(message) });
});

test.each(LIMITED)("%s is a limit and nobody's failure: %s", (name, cause, until) => {
  const ending = endingOf(recordedText(name), { status: 1 });
  expect(ending).toMatchObject({ kind: "failed", code: "STOP_RATE_LIMITED", cause, until });
});

test.each(FINISHED)("%s went well", (name, text) => {
  const ending = endingOf(recordedText(name));
  expect(ending).toMatchObject({ kind: "finished" });
  expect(textOf(ending)).toBe(text);
});

test.each([
  ["Prompt is too long", 400, "prompt_too_long"],
  ["API Error: 400 prompt is too long: 216327 tokens > 200000 maximum", 400, "prompt_too_long"],
  [
    "API Error: 400 input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000",
    400,
    "prompt_too_long",
  ],
  ["API Error: 413 Request exceeds the maximum size", 413, "prompt_too_long"],
  ["There's an issue with the selected model (nope). It may not exist.", 403, "model_unavailable"],
  ["API Error: 403 This account is not allowed here", 403, "api_error_403"],
])("a plain sentence says more than its status: %s", (result, api_error_status, cause) => {
  const text = JSON.stringify({ ...JSON.parse(last("error-400")), result, api_error_status });
  expect(endingOf(text, { status: 1 })).toMatchObject({ kind: "failed", code: "STOP_INTERRUPTED", cause });
});

test("a prompt that was taken for a command is no success, though it looks like one", () => {
  expect(endingOf(recordedText("slash-command"))).toMatchObject({ kind: "failed", cause: "slash_command" });
});

test("every recording is used", () => {
  const names = readdirSync(new URL("../fixtures/claude", import.meta.url)).map((file) => file.replace(".jsonl", ""));
  const used = [...FAILED, ...LIMITED, ...FINISHED].map(([name]) => name);
  expect(names.toSorted()).toEqual([...used, "slash-command"].toSorted());
});

test.each([
  [{ status: 1, stderr: "error: unknown option '--nope'\n(Did you mean --name?)\n" }, "usage_error"],
  [{ status: 1, stderr: "Error: Input must be provided either through stdin\n" }, "usage_error"],
  [
    {
      status: 1,
      stderr: "--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons\n",
    },
    "root_refused",
  ],
  [{ status: 0 }, "interrupted"],
  [{ status: 143 }, "interrupted"],
  [{ status: 129 }, "interrupted"],
  [{ status: 1, stderr: "node:internal\n  at x\n" }, "exit_1"],
  [{ status: 7 }, "exit_7"],
])("without a last object, %j is %s", (end, cause) => {
  expect(endingOf("", end)).toMatchObject({ kind: "failed", code: "STOP_INTERRUPTED", cause });
});

test("what root is refused is explained, since nothing is lifted behind a person's back", () => {
  const stderr = "--dangerously-skip-permissions cannot be used with root/sudo privileges\n";
  expect(endingOf("", { status: 1, stderr })).toMatchObject({ message: expect.stringContaining("dontAsk") });
});

const last = (name: string) => recordedText(name).trim().split("\n").at(-1) ?? "{}";

test("neither the exit nor the object is enough alone", () => {
  expect(endingOf(recordedText("build"), { status: 3 })).toMatchObject({ kind: "failed", cause: "exit_3" });
  expect(endingOf(recordedText("error-400"), { status: 0 })).toMatchObject({ cause: "api_error_400" });
  const broken = JSON.stringify({ ...JSON.parse(last("build")), result: undefined });
  expect(endingOf(broken)).toMatchObject({ kind: "failed", cause: "malformed_wrapper" });
  expect(endingOf('{"type":"result","is_error":"no"}')).toMatchObject({ cause: "malformed_wrapper" });
});

test("an answer in an envelope is taken out of it, and without one the words count", () => {
  const enveloped = JSON.stringify({
    ...JSON.parse(last("structured")),
    structured_output: { answer: { n: 5 } },
  });
  expect(textOf(endingOf(enveloped, { isEnveloped: true }))).toBe('{"n":5}');
  expect(textOf(endingOf(last("structured"), { isEnveloped: true }))).toBe('{"n":4}');
  expect(textOf(endingOf(enveloped))).toBe('{"answer":{"n":5}}');
});

test("older ones tell the end of a limit in the sentence", () => {
  const result = "Claude AI usage limit reached|1795000000";
  const older = JSON.stringify({ ...JSON.parse(last("error-400")), result, api_error_status: null });
  expect(endingOf(older, { status: 1 })).toMatchObject({
    code: "STOP_RATE_LIMITED",
    cause: "usage_limit",
    until: "2026-11-18T11:06:40.000Z",
  });
});

/** Each sentence is what Claude Code 2.1.197 gave as its last object alone, where no line before told it. */
test.each([
  ["You've hit your session limit · resets 9am (Europe/Paris)", local(2026, 10, 15, 9, 0)],
  ["You've hit your session limit · resets 12:53pm (UTC)", local(2026, 10, 15, 12, 53)],
  ["You've hit your session limit · resets 7:59am (UTC)", local(2026, 10, 16, 7, 59)],
  ["You've hit your session limit · resets 8am (UTC)", local(2026, 10, 15, 8, 0)],
  ["You've hit your weekly limit · resets Nov 18, 6:23am (America/New_York)", local(2026, 10, 18, 6, 23)],
  ["You've hit your weekly limit · resets Jan 3, 12am (UTC)", local(2027, 0, 3, 0, 0)],
  ["You've hit your Opus limit · resets Jan 14, 2028, 6:23am (UTC)", local(2028, 0, 14, 6, 23)],
  ["You've hit your session limit · resets soon", null],
])("the end of a limit in the words of its last object: %s", (result, until) => {
  const alone = JSON.stringify({ ...JSON.parse(last("error-429")), result });
  expect(endingOf(alone, { status: 1 })).toMatchObject({ cause: "usage_limit", until });
});

test("what was used is summed over all models, also where it came to nothing", () => {
  const model = { inputTokens: 10, outputTokens: 3, cacheReadInputTokens: 5, cacheCreationInputTokens: 2 };
  const modelUsage = { "a[1m]": { ...model, costUSD: 0.5 }, b: { ...model, costUSD: 0.25 } };
  const usage = { input_tokens: 34, cached_input_tokens: 10, output_tokens: 6 };
  const said = JSON.stringify({ ...JSON.parse(last("build")), modelUsage, total_cost_usd: 0.75 });
  expect(endingOf(said)).toMatchObject({ usage: { ...usage, cost_usd: 0.75 } });
  const failed = JSON.stringify({ ...JSON.parse(last("max-turns")), modelUsage, total_cost_usd: undefined });
  expect(endingOf(failed, { status: 1 })).toMatchObject({
    cause: "max_turns",
    usage: { ...usage, cost_usd: 0.75 },
  });
});

test.each([
  ['{"result":"x"}', "x"],
  ['{"result":{"n":4}}', '{"n":4}'],
])("a result with nothing around it is read: %s", (text, words) => {
  expect(textOf(endingOf(text))).toBe(words);
  expect(endingOf(text, { status: 3 })).toMatchObject({ kind: "failed", cause: "malformed_wrapper" });
});
