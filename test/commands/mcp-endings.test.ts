/** How a run that `relais mcp` has started ends before its time: by the caller, by the client, by a signal, by a crash. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { callRelais } from "../../src/commands/mcp-command.ts";
import { HELLO, speakProtocol, textsOf, type ToolClient, withTools } from "../support/mcp-client.ts";
import { executable } from "../support/relais.ts";
import { inTurn, inWorld } from "../support/scenario.ts";
import type { World } from "../support/scenario-world.ts";
import { scratchFolder } from "../support/scratch-repository.ts";

const HANGS = 'echo changed > src/main.ts\ntouch "${0%/*}/here"\nsleep 120\n';
const TASK = { task: "Set the answer to 42." };

async function untilBuilding({ box }: World): Promise<void> {
  while (!existsSync(join(box, "here"))) await delay(20);
}

/** Waits for the end of the tick, whose change is to be gone and in salvage; answers with its cause. */
async function untilReverted(world: World): Promise<string> {
  for (;;) {
    const { running, last_tick: last } = JSON.parse((await world.relais(["status", "--json"])).stdout);
    if (running === null && last !== null) break;
    await delay(50);
  }
  const { report } = JSON.parse((await world.relais(["history", "show", "--json"])).stdout);
  expect(report).toMatchObject({ code: "STOP_INTERRUPTED" });
  expect(JSON.parse((await world.relais(["salvage", "list", "--json"])).stdout)).toMatchObject({
    salvage: [{ run_id: report.run_id, files: 1 }],
  });
  expect(world.git("status", "--porcelain")).toBe("");
  expect(world.read("src/main.ts")).toBe("export const answer = 41;\n");
  return String(report.cause);
}

const inHangingRun = (work: (tools: ToolClient, world: World) => Promise<void>): Promise<void> =>
  inTurn(() => inWorld({ program: HANGS }, (world) => withTools(world, (tools) => work(tools, world))));

describe.concurrent("a run of relais mcp", () => {
  test("refuses a second one like the command, and is reverted when its caller cancels it", () =>
    inHangingRun(async ({ call, ask }, world) => {
      const cancel = new AbortController();
      const first = call("run", TASK, { signal: cancel.signal });
      await untilBuilding(world);
      const [second, typed] = await Promise.all([call("run", TASK), world.relais(["run", "x", "--json"])]);
      expect(second).toMatchObject({ isError: true, structuredContent: { code: "BLOCKED_LOCK_HELD" } });
      expect(second.structuredContent).toEqual(JSON.parse(typed.stdout));
      expect(textsOf(second)[0]).toMatch(/^BLOCKED_LOCK_HELD: .* Next: /);
      expect(await ask("status")).toMatchObject({ running: { run_id: expect.any(String) } });
      expect(await ask("diff")).toMatchObject({ files: [{ path: "src/main.ts" }] });
      cancel.abort("enough");
      await expect(first).rejects.toThrow("enough");
      expect(await untilReverted(world)).toBe("sigterm");
      expect(await ask("status")).toMatchObject({ running: null });
    }));

  test("is reverted when the client goes away", () =>
    inHangingRun(async ({ client, call }, world) => {
      const run = call("run", TASK).catch(() => null);
      await untilBuilding(world);
      await client.close();
      await run;
      expect(await untilReverted(world)).toBe("sigterm");
    }));

  test("is reverted when the server is killed", () =>
    inHangingRun(async ({ call, pid }, world) => {
      const run = call("run", TASK).catch(() => null);
      await untilBuilding(world);
      process.kill(pid, "SIGKILL");
      await run;
      expect(await untilReverted(world)).toBe("sigterm");
    }));

  test("is reverted when the server is killed in the middle of a cancellation", () =>
    inHangingRun(async ({ call, pid }, world) => {
      const cancel = new AbortController();
      const run = call("run", TASK, { signal: cancel.signal }).catch(() => null);
      await untilBuilding(world);
      cancel.abort();
      await run;
      await delay(200);
      process.kill(pid, "SIGKILL");
      expect(await untilReverted(world)).toBe("sigterm");
    }));

  test("that is killed itself is an answer with what to do", () =>
    inHangingRun(async ({ call, ask }, world) => {
      const run = call("run", TASK);
      await untilBuilding(world);
      const { pid } = JSON.parse(readFileSync(join(world.state(), "lock.json"), "utf8"));
      process.kill(pid, "SIGKILL");
      expect(await run).toMatchObject({ isError: true, structuredContent: { error: "no_answer" } });
      expect(textsOf(await run)[0]).toMatch(/ended with SIGKILL and without an answer\. Next: .*relais recover/);
      expect(await ask("status")).toMatchObject({ running: null, unfinished: { phase: expect.any(String) } });
      expect((await world.relais(["recover", "--yes"])).status).toBe(0);
    }));
});

test("only messages of the protocol are printed, whatever is read", async () => {
  const { status, stdout, stderr } = await speakProtocol({
    cwd: scratchFolder(),
    lines: ["no JSON \u001b[2J", "[]", "{}", '{"jsonrpc":"1.0"}', HELLO],
  });
  const documents = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(documents.filter(({ jsonrpc }) => jsonrpc !== "2.0")).toEqual([]);
  expect(documents.find(({ id }) => id === 1)).toMatchObject({ result: { protocolVersion: "2025-06-18" } });
  expect(status).toBe(0);
  expect(stderr).not.toContain("\u001b");
});

test.each([
  ["SIGTERM", 143],
  ["SIGINT", 130],
] as const)("%s ends a server that has nothing to do", async (signal, status) => {
  expect(await speakProtocol({ cwd: scratchFolder(), signal })).toMatchObject({ status, stderr: "" });
});

/** A call of a program in place of relais. */
function callProgram(lines: string): ReturnType<typeof callRelais> {
  const file = join(scratchFolder(), "relais.cjs");
  writeFileSync(file, lines);
  const { signal } = new AbortController();
  const relais = [process.execPath, file] as const;
  const rest = { cwd: scratchFolder(), environment: process.env, input: "", onLine: () => {}, signal };
  return callRelais({ relais, args: ["diff"], ...rest });
}

test.each([
  ["console.log('{\"a\":1}')", { isOk: true, document: { a: 1 } }],
  ["console.log('{\"a\":1}'); process.exit(10)", { isOk: false, document: { a: 1 } }],
  ["console.log('7')", { isOk: false, document: { error: "no_answer" } }],
  ["console.error('oh'); process.exit(1)", { document: { error: "no_answer", problems: ["oh"] } }],
  ["console.log(JSON.stringify({ a: 'x'.repeat(3e6) }))", { isOk: false, document: { error: "too_large" } }],
])("an answer is one document of some length: %s", async (lines, answer) => {
  expect(await callProgram(lines)).toMatchObject(answer);
});

test("a folder that is gone is named", async () => {
  const cwd = join(scratchFolder(), "gone");
  const { signal } = new AbortController();
  const call = { relais: [process.execPath, executable], args: ["status"], input: "", onLine: () => {} } as const;
  const answer = await callRelais({ ...call, cwd, environment: process.env, signal });
  expect(answer).toMatchObject({ isOk: false, document: { error: "not_started", remedy: expect.any(String) } });
});
