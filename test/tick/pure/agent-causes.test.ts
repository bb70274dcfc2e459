import { expect, test } from "vitest";
import { readClaudeEnding } from "../../../src/agents/claude-code.ts";
import { readCodexFailure } from "../../../src/agents/codex-failure.ts";
import { CODES } from "../../../src/base/codes.ts";
import { describeCause } from "../../../src/tick/pure/cause-words.ts";
import { recordedText, watched } from "../../support/claude-recordings.ts";

const NOW = new Date(2026, 10, 15, 8, 0, 30).getTime();

function meaningOfClaude(recording: string): string {
  const seen = watched(recordedText(recording));
  const ending = readClaudeEnding({ status: 1, stderr: "", seen, isEnveloped: false, nowMs: NOW });
  if (ending.kind !== "failed") throw new Error(`${recording} did not fail`);
  return describeCause(ending.code, ending.cause).meaning;
}

/** From what the real programs printed to the sentence that a person reads. */
test.each([
  ["not-logged-in", "The agent is not logged in."],
  ["error-401", "The agent is not logged in."],
  ["max-turns", "The session used all its turns."],
  ["refusal", "The model refused the task."],
  ["error-500", "The agent's service failed."],
  ["error-529", "The agent's service is overloaded."],
  ["connection-refused", "The agent's service cannot be reached."],
  ["malformed-response", "The agent's service sent an unreadable response."],
  ["error-404", "The model is unknown to the service, or not open to this account."],
  ["schema-unsatisfied", "The agent never answered in the demanded form."],
  ["usage-limit", "The usage limit of the account is reached."],
  ["error-429", "The agent's service allows no more requests for now."],
  ["budget-exceeded", "The session reached its cost limit."],
  ["max-tokens", "One answer became longer than the model may write."],
  ["interrupted", "The agent's program was killed."],
])("Claude Code, %s: %s", (recording, meaning) => {
  expect(meaningOfClaude(recording)).toBe(meaning);
});

test.each([
  ["Missing environment variable: `OPENAI_API_KEY`.", "The agent is not logged in."],
  ["unexpected status 401 Unauthorized: bad key, url: http://127.0.0.1:1/v1/responses", "The agent is not logged in."],
  ["exceeded retry limit, last status: 503 Service Unavailable", "The agent's service failed."],
  ["Selected model is at capacity. Please try a different model.", "The agent's service is overloaded."],
  ["Codex ran out of room in the model's context window.", "The session became longer than the model's context."],
  ["The model nope does not exist", "The model is unknown to the service, or not open to this account."],
  ["Quota exceeded. Check your plan and billing details.", "The account has no credit left."],
  ["You’ve hit your usage limit. Try again later.", "The usage limit of the account is reached."],
  ["Connection failed: error sending request", "The agent's service cannot be reached."],
  ["Something that nobody has seen yet.", "The agent's program failed."],
])("codex, %s: %s", (reason, meaning) => {
  const { code, cause } = readCodexFailure(reason, NOW);
  expect(describeCause(code, cause).meaning).toBe(meaning);
});

test.each([
  ["STOP_BUILDER_TIMEOUT", "idle_timeout", /printed nothing for too long/],
  ["STOP_BUILDER_OUTPUT_INVALID", "result_invalid", /could not be read/],
  ["STOP_BUILDER_OUTPUT_INVALID", "result_missing", /without an answer/],
  ["STOP_INTERRUPTED", "signal_SIGKILL", /was killed/],
  ["STOP_INTERRUPTED", "exit_3", /program failed/],
  ["STOP_INTERRUPTED", "orchestrator_api_error_401", /not logged in/],
  ["STOP_INTERRUPTED", "orchestrator_not_found", /orchestrator's program was not found/],
] as const)("%s (%s) has words of its own", (code, cause, meaning) => {
  const words = describeCause(code, cause);
  expect(words.meaning).toMatch(meaning);
  expect(words.remedy).not.toBe(CODES[code].remedy);
});

test("a cause says nothing about a code of another kind, and an unknown one nothing at all", () => {
  expect(describeCause("STOP_SCOPE_VIOLATION_FORBIDDEN", "max_turns")).toBe(CODES.STOP_SCOPE_VIOLATION_FORBIDDEN);
  expect(describeCause("STOP_INTERRUPTED", "constructor")).toBe(CODES.STOP_INTERRUPTED);
  expect(describeCause("STOP_INTERRUPTED", null)).toBe(CODES.STOP_INTERRUPTED);
});
