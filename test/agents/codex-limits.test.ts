/** The limits that relais keeps for codex, whose program knows neither: turns, and how long a session waits for its service. */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SessionRequest } from "../../src/agents/driver.ts";
import { agentRepository, driverOf, runSession } from "../support/agent-session.ts";

const call = (id: string, type: string) =>
  `echo '{"type":"item.${type}","item":{"id":"${id}","type":"command_execution","command":"x","exit_code":0}}'`;
const turn = (...ids: readonly string[]) =>
  [...ids.map((id) => call(id, "started")), ...ids.map((id) => call(id, "completed"))].join("\n");
const ANSWER = [
  `echo '{"type":"item.completed","item":{"id":"m","type":"agent_message","text":"done"}}'`,
  `echo '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}'`,
].join("\n");

async function session(script: string, request: Partial<SessionRequest> = {}) {
  const repository = agentRepository();
  const program = join(repository.box, "codex");
  writeFileSync(program, `#!/bin/sh\ncat > /dev/null\n${script}\n`);
  chmodSync(program, 0o755);
  const driver = await driverOf(repository, {
    builder: { default_mode: "codex", codex: { command: program } },
  });
  return runSession(driver, repository, request);
}

test("a session is ended when its turns are used up, whatever it goes on with", async () => {
  const reply = await session(`${turn("a")}\n${turn("b", "c")}\nsleep 60\n${ANSWER}`, { maxTurns: 2 });
  expect(reply).toMatchObject({ kind: "failed", code: "STOP_INTERRUPTED", cause: "max_turns" });
});

test("calls of one answer are one turn, and the last answer is none that is counted", async () => {
  const reply = await session(`${turn("a", "b", "c")}\n${turn("d", "e")}\nsleep 0.3\n${ANSWER}`, {
    maxTurns: 3,
  });
  expect(reply).toMatchObject({ kind: "finished" });
});

test("without a number nobody counts", async () => {
  const turns = Array.from({ length: 60 }, (_, n) => turn(`t${n}`)).join("\n");
  expect(await session(`${turns}\n${ANSWER}`)).toMatchObject({ kind: "finished" });
});

const NOTICE = `echo '{"type":"error","message":"Reconnecting... 1/5 (exceeded retry limit, last status: 429 Too Many Requests)"}'`;
const waits = (length: string) =>
  `test -n "$RUST_LOG" && echo "WARN codex_core::responses_retry: stream disconnected - retrying sampling request (1/5 in ${length})... turn_id=x retries=1 max_retries=5 sampling_error=exceeded retry limit, last status: 429 Too Many Requests" >&2`;

test("an hour that codex would wait by itself is a limit, with its end", async () => {
  const before = Date.now();
  const reply = await session(`${NOTICE}\n${waits("3599.999809978s")}\nsleep 60`);
  expect(reply).toMatchObject({ kind: "failed", code: "STOP_RATE_LIMITED", cause: "api_error_429" });
  const until = Date.parse(reply.kind === "failed" ? (reply.until ?? "") : "");
  expect(until - before).toBeGreaterThan(3_599_000);
  expect(until - before).toBeLessThan(3_700_000);
});

test("a short wait is left to codex", async () => {
  const reply = await session(`${NOTICE}\n${waits("1.2s")}\nsleep 0.2\n${ANSWER}`);
  expect(reply).toMatchObject({ kind: "finished" });
});

test("a session that ran out of time while it waited was limited and not slow", async () => {
  expect(await session(`${NOTICE}\nsleep 60`, { timeoutMs: 1500 })).toMatchObject({
    kind: "failed",
    code: "STOP_RATE_LIMITED",
  });
  expect(await session(`${NOTICE}\n${call("a", "started")}\nsleep 60`, { timeoutMs: 1500 })).toMatchObject({
    kind: "timed-out",
  });
});
