import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { callRelais, type CalledAnswer } from "./call-relais.ts";
import { neutralise } from "../base/neutralise.ts";
import { parseChoices, writeChoices } from "../terminal/choice-options.ts";
import type { RunCommand, Session } from "../terminal/command.ts";
import type { Options } from "../terminal/option-spec.ts";
import { describeFailedCall } from "./failed-call.ts";
import { UNREPORTED, openProgress, type Progress } from "./mcp-progress.ts";
import type { McpOptions } from "./mcp-spec.ts";
import { type AnswerCall, type Given, makeServer } from "./mcp-server.ts";
import { listTools, type OfferedTool, type RunRules } from "./mcp-tools.ts";

/** Serves the tools until the client goes away or a signal comes, and then until everything that they started has ended. */
export const runMcp: RunCommand<McpOptions> = async ({ options }, session) => {
  const parsed = parseChoices(options);
  if (parsed.kind === "misused") return parsed;
  if (session.isTerminal)
    session.err("relais: an agent or an editor starts this command and speaks its protocol; Ctrl-C ends it.\n");
  const calls = new Set<Promise<unknown>>();
  const over = new AbortController();
  const transport = new StdioServerTransport();
  const tools = listTools(options.flag("allow-accept"));
  const answer: AnswerCall = (tool, given, context) => {
    const signal = AbortSignal.any([context.mcpReq.signal, over.signal]);
    const call = answerCall({ tool, given, context, signal, rules: writeRules(options) }, session);
    calls.add(call);
    return call.finally(() => calls.delete(call));
  };
  const handle = serveStdio(() => makeServer(tools, answer), {
    transport: closing(transport, () => over.abort()),
    onerror: (error) => session.err(`relais: ${neutralise(error.message)}\n`),
  });
  const stop = AbortSignal.any([session.signal, session.unread]);
  stop.addEventListener("abort", () => void handle.close(), { once: true });
  if (stop.aborted) await handle.close();
  await untilAborted(over.signal);
  await Promise.all(calls);
  return { kind: "ended", status: 0 };
};

/** Tells when the connection is closed, by whichever side. */
function closing(transport: StdioServerTransport, onClosed: () => void): StdioServerTransport {
  const close = transport.close.bind(transport);
  transport.close = async () => {
    await close();
    onClosed();
  };
  return transport;
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** No agent is called for a patch. */
function writeRules(options: Options<McpOptions>): RunRules {
  const withoutAgent: typeof options = {
    ...options,
    choice: (name) => (name === "agent" ? null : options.choice(name)),
    text: () => null,
  };
  return { forTask: writeChoices(options), forPatch: writeChoices(withoutAgent) };
}

interface ToolCall {
  readonly tool: OfferedTool;
  readonly given: Given;
  readonly context: ServerContext;
  readonly signal: AbortSignal;
  readonly rules: RunRules;
}

const NOTHING_GIVEN = {
  error: "usage",
  message: "Nothing was started: give either task or patch.",
  problems: [],
  remedy: "Call run again with one of them.",
};

async function answerCall(
  { tool, given, context, signal, rules }: ToolCall,
  session: Session,
): Promise<CallToolResult> {
  const typed = tool.type(given, rules);
  if (typed === null) return makeResult({ isOk: false, document: NOTHING_GIVEN });
  const { relais, cwd, environment } = session;
  const [command = "", ...rest] = typed.args;
  const progress = reportProgress(context);
  try {
    // Only a log of everything is written beside a document.
    const args = [command, "--json", "--verbose", ...rest];
    return makeResult(await callRelais({ relais, cwd, environment, args, input: typed.input, signal, ...progress }));
  } finally {
    progress.close();
  }
}

/** Where the caller asked for it. */
function reportProgress({ mcpReq }: ServerContext): Progress {
  const { _meta: { progressToken } = {} } = mcpReq;
  if (progressToken === undefined) return UNREPORTED;
  return openProgress((progress, message) => {
    const params = { progressToken, progress, message };
    // A client that is gone closes the connection.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  });
}

function makeResult({ isOk, document }: CalledAnswer): CallToolResult {
  const text = { type: "text", text: JSON.stringify(document) } as const;
  if (isOk) return { content: [text], structuredContent: document };
  const words = { type: "text", text: describeFailedCall(document) } as const;
  return { content: [words, text], structuredContent: document, isError: true };
}
