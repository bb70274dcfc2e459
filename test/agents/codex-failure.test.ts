import { expect, test } from "vitest";
import { readCodexFailure, findCodexReset } from "../../src/agents/codex-failure.ts";

const NOW = new Date(2026, 10, 15, 8, 0, 30).getTime();
const local = (...at: [number, number, number, number, number]) => new Date(...at).toISOString();

/** Each sentence is what codex 0.166.0 printed. */
test.each([
  ["exceeded retry limit, last status: 429 Too Many Requests", "api_error_429", null],
  ["You’ve hit your usage limit. Try again later.", "usage_limit", null],
  [
    "You’ve hit your usage limit. Upgrade to Pro (https://x.example/pro), visit https://x.example/usage to purchase more credits or try again at 9:35 AM.",
    "usage_limit",
    local(2026, 10, 15, 9, 35),
  ],
  [
    "You’ve hit your usage limit. To get more access now, send a request to your admin or try again at Nov 18th, 2026 6:55 PM.",
    "usage_limit",
    local(2026, 10, 18, 18, 55),
  ],
  [
    "rate limit exceeded: Rate limit reached for gpt-5.5. Please try again in 11.054s.",
    "api_error_429",
    new Date(NOW + 11_054).toISOString(),
  ],
  ["unexpected status 403 Forbidden: You’ve hit your usage limit.", "usage_limit", null],
  ["Selected model is at capacity. Please try a different model.", "overloaded", null],
])("a limit is nobody's fault: %s", (reason, cause, until) => {
  expect(readCodexFailure(reason, NOW)).toEqual({ code: "STOP_RATE_LIMITED", cause, until });
});

test.each([
  ["unexpected status 401 Unauthorized: bad key, url: http://127.0.0.1:1/v1/responses", "api_error_401"],
  ["unexpected status 404 Not Found: no such route, url: http://127.0.0.1:1/v1/responses", "api_error_404"],
  ["unexpected status 404 Not Found: no model gpt-429, url: http://127.0.0.1:529/v1", "api_error_404"],
  ["exceeded retry limit, last status: 503 Service Unavailable, request id: 429", "api_error_503"],
  ['{"error":{"type":"invalid_request_error","message":"context"}}', "request_refused"],
  ["Quota exceeded. Check your plan and billing details.", "quota_exceeded"],
  ["We’re currently experiencing high demand, which may cause temporary errors.", "server_error"],
  ["Missing environment variable: `OPENAI_API_KEY`.", "not_logged_in"],
  ["Connection failed: error sending request", "connection_failed"],
  ["stream disconnected before completion: stream closed before response.completed", "stream_cut"],
  ["stream disconnected before completion: idle timeout waiting for SSE", "stream_stalled"],
  ["Incomplete response returned, reason: max_output_tokens", "max_tokens"],
  ["Codex ran out of room in the model's context window.", "prompt_too_long"],
  ["The model nope does not exist", "model_unavailable"],
  [
    'unexpected status 400 Bad Request: {"detail":"The \'gpt-5.1-codex\' model is not supported when using Codex with a ChatGPT account."}',
    "model_unavailable",
  ],
  [
    '{"type":"error","status":400,"error":{"type":"invalid_request_error","message":"The \'gpt-9\' model is not supported when using Codex with a ChatGPT account."}}',
    "model_unavailable",
  ],
  ["unexpected status 400 Bad Request: Your input exceeds the context window of this model.", "prompt_too_long"],
  ["Input exceeds the maximum length of 1048576 characters.", "prompt_too_long"],
  ["Something that nobody has seen yet.", "turn_failed"],
  ["", "turn_failed"],
])("a failure has a cause: %s", (reason, cause) => {
  expect(readCodexFailure(reason, NOW)).toEqual({ code: "STOP_INTERRUPTED", cause, until: null });
});

test.each([
  ["try again at 12:05 AM.", local(2026, 10, 16, 0, 5)],
  ["try again at 7:59 AM.", local(2026, 10, 16, 7, 59)],
  ["try again at 8:00 AM.", local(2026, 10, 15, 8, 0)],
  ["try again at 12:30 PM.", local(2026, 10, 15, 12, 30)],
  ["try again at Feb 1st, 2027 12:00 AM.", local(2027, 1, 1, 0, 0)],
  ["try again at Foo 1st, 2027 12:00 AM.", null],
  ["try again in 2 days 3 hours 4 minutes.", new Date(NOW + 183_840_000).toISOString()],
  ["try again in 350ms", new Date(NOW + 350).toISOString()],
  ["try again in 99999999999999999999 days", null],
  ["try again in a moment", null],
])("when a limit is lifted: %s", (words, until) => {
  expect(findCodexReset(words, NOW)).toBe(until);
});
