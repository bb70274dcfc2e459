import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { createInterface } from "node:readline";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import * as v from "valibot";
import { generateValue } from "../generate-value.ts";
import type { FuzzTarget } from "../target.ts";
import type { Random } from "../../../scripts/random.ts";
import { describeFailedCall, type Given, makeServer } from "../../../src/commands/mcp-command.ts";
import { listTools, type OfferedTool } from "../../../src/commands/mcp-tools.ts";
import { isRecord } from "../../../src/base/quantity.ts";
import { parseJson } from "../../../src/system/parse-json.ts";

const TOOLS = listTools(true);
const RULES = { forTask: ["--allow=src/**"], forPatch: ["--allow=src/**"] };
const METHODS = [
  "tools/call",
  "tools/call",
  "tools/list",
  "initialize",
  "ping",
  "notifications/cancelled",
  "resources/list",
];
const CLIENT = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "fuzz", version: "1" } };
const BEGIN = [
  { jsonrpc: "2.0", id: 0, method: "initialize", params: CLIENT },
  { jsonrpc: "2.0", method: "notifications/initialized" },
];
const LAST = "the last one";
const ANSWER_MS = 10_000;
/** All that a person could type there: a command, its rules, and names without any other characters. */
const ARGUMENT =
  /^(?:run|status|diff|undo|accept|-|--|--patch=-|--dry-run|--allow=src\/\*\*|--fixes=[\w.-]{1,80}|[\w.-]{1,80})$/u;
const Message = v.object({ jsonrpc: v.literal("2.0"), id: v.optional(v.nullable(v.union([v.string(), v.number()]))) });

interface Call {
  readonly tool: OfferedTool;
  readonly given: Given;
}

/** Messages of the Model Context Protocol from an agent or an editor, one on each line. */
export const mcpMessages: FuzzTarget = {
  name: "mcp-messages",
  seeds: () => [
    write([...BEGIN, { jsonrpc: "2.0", id: 1, method: "tools/list" }]),
    write([...BEGIN, call(2, "run", { task: "Say hello.", fixes: ["check"] })]),
    write([...BEGIN, call(3, "diff", { run: "--help" }), call(4, "accept", { run: "20260115T100000Z-0123abcd" })]),
  ],
  words: ["tools/call", '"arguments":{', "progressToken", "_meta", '"id":null', "__proto__", "--fixes=", "\u2028"],
  generate,
  check: async (data) => {
    const { lines, calls } = await converse(data);
    const asked = data.toString("utf8").split("\n").map(parseJson).filter(isRecord);
    for (const line of lines) {
      const { id } = v.parse(Message, JSON.parse(line));
      if (id === undefined || id === null || id === LAST) continue;
      assert(
        asked.some((message) => message["id"] === id),
        `an answer to nobody: ${id}`,
      );
    }
    for (const one of calls) checkCall(one);
    for (const document of asked) describeFailedCall(document);
  },
};

const call = (id: number, name: string, given: unknown): object => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: given, _meta: { progressToken: id } },
});

function write(messages: readonly unknown[]): Buffer {
  return Buffer.from(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
}

function generate(random: Random): Buffer {
  const messages = Array.from({ length: 1 + random.below(4) }, (_, at): unknown => {
    const method = random.pick(METHODS) ?? "ping";
    const tool = random.pick(TOOLS);
    if (method !== "tools/call" || tool === undefined) return { jsonrpc: "2.0", id: at, method, params: {} };
    return call(at, tool.name, generateValue(tool.input, random));
  });
  return write(random.below(6) === 0 ? messages : [...BEGIN, ...messages]);
}

/** Until the server has answered a last question: whatever was before, it lives and answers. */
async function converse(data: Buffer) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const calls: Call[] = [];
  const handle = serveStdio(
    () =>
      makeServer(TOOLS, async (tool, given) => {
        calls.push({ tool, given });
        return { content: [{ type: "text", text: "no" }], isError: true };
      }),
    { transport: new StdioServerTransport(input, output), onerror: () => {} },
  );
  const lines: string[] = [];
  const timer = setTimeout(() => output.destroy(new Error(`no answer in ${ANSWER_MS / 1000} s`)), ANSWER_MS);
  try {
    input.write(data);
    input.write(`\n${JSON.stringify({ jsonrpc: "2.0", id: LAST, method: "ping" })}\n`);
    for await (const line of createInterface({ input: output })) {
      lines.push(line);
      if (line.includes(LAST)) break;
    }
  } finally {
    clearTimeout(timer);
    await handle.close();
  }
  return { lines, calls };
}

/** Nothing that a caller gives is an option or a path of the command, whatever it is. */
function checkCall({ tool, given }: Call): void {
  v.parse(tool.input, given);
  const typed = tool.type(given, RULES);
  if (typed === null) return;
  for (const argument of typed.args) assert.match(argument, ARGUMENT);
  const own = typed.args.indexOf("--");
  const free = typed.args.filter((argument, at) => at > 0 && !argument.startsWith("-") && at < (own === -1 ? 99 : own));
  assert.deepEqual(free, [], "a text of the caller where an option could be");
}
