/** The server of the protocol: it checks what a caller gives to a tool, and hands over what is valid. */
import { type CallToolResult, McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { readVersion } from "../terminal/version.ts";
import type { OfferedTool } from "./mcp-tools.ts";

const INSTRUCTIONS =
  "relais changes this git repository in small, judged steps. Instead of editing files yourself, call run with one small task or with your patch, read the verdict, and look at the change with diff. If isError is set, the text says what to do next; a remedy that names a relais command is for a person.";

export type Given = Parameters<OfferedTool["type"]>[0];
export type AnswerCall = (tool: OfferedTool, given: Given, context: ServerContext) => Promise<CallToolResult>;

export function makeServer(tools: readonly OfferedTool[], answer: AnswerCall): McpServer {
  const server = new McpServer(
    { name: "relais", title: "relais", version: readVersion() },
    { instructions: INSTRUCTIONS, capabilities: { tools: { listChanged: false } } },
  );
  for (const tool of tools) {
    const { name, title, description, annotations } = tool;
    const inputSchema = toStandardJsonSchema(tool.input);
    const outputSchema = toStandardJsonSchema(tool.output);
    const config = { title, description, annotations, inputSchema, outputSchema };
    server.registerTool(name, config, (given, context) => answer(tool, given, context));
  }
  return server;
}
