/** A client of the protocol's own SDK, with a `relais mcp` that it starts itself. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { Client, type CallToolResult, type RequestOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { executable, type Ran } from "./relais.ts";
import type { World } from "./scenario-world.ts";

export interface ToolClient {
  readonly client: Client;
  readonly pid: number;
  readonly call: (name: string, given?: object, options?: RequestOptions) => Promise<CallToolResult>;
  /** Calls a tool and answers with its document. */
  readonly ask: (name: string, given?: object) => Promise<Readonly<Record<string, unknown>>>;
}

interface Place extends Pick<World, "root" | "environment"> {
  readonly args?: readonly string[];
  /** The revision of the protocol that it speaks; the one of 2025 without it. */
  readonly revision?: string;
}

/** Does something with a client, and closes it. */
export async function withTools(place: Place, work: (tools: ToolClient) => Promise<void>): Promise<void> {
  const { root, environment, args = [], revision } = place;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [executable, "mcp", ...args],
    cwd: root,
    env: Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, value ?? ""])),
    stderr: "ignore",
  });
  const negotiation = revision === undefined ? {} : { versionNegotiation: { mode: { pin: revision } } };
  const client = new Client({ name: "test", version: "1" }, negotiation);
  await client.connect(transport);
  const call: ToolClient["call"] = (name, given = {}, options = {}) =>
    client.callTool({ name, arguments: { ...given } }, options);
  const ask: ToolClient["ask"] = async (name, given) => documentOf(await call(name, given));
  try {
    await work({ client, pid: transport.pid ?? 0, call, ask });
  } finally {
    await client.close();
  }
}

export function documentOf({ structuredContent }: CallToolResult): Readonly<Record<string, unknown>> {
  return { ...Object(structuredContent) };
}

export const textsOf = ({ content }: CallToolResult): readonly string[] =>
  content.map((part) => (part.type === "text" ? part.text : part.type));

export const HELLO = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } },
});

interface Speech {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly args?: readonly string[];
  readonly lines?: readonly string[];
  /** What ends the server; without it, the end of its input. */
  readonly signal?: NodeJS.Signals;
}

/** Sends lines to a server, waits for the first answer, and ends it. */
export async function speakProtocol({ cwd, env = {}, args = [], lines = [HELLO], signal }: Speech): Promise<Ran> {
  const options = { cwd, env: { ...process.env, ...env }, stdio: "pipe" } as const;
  const child = spawn(process.execPath, [executable, "mcp", ...args], options);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  const answered = new Promise((resolve) => child.stdout.once("data", resolve));
  child.stdin.write(lines.map((line) => `${line}\n`).join(""));
  await answered;
  if (signal === undefined) child.stdin.end();
  else child.kill(signal);
  const [stdout, stderr] = await printed;
  return { status: await ended, stdout, stderr };
}
