import * as v from "valibot";
import { describeError } from "../base/errors.ts";
import { type RelaisEnd, type RelaisRequest, runRelais } from "../process/run-relais.ts";
import { AnyCode } from "../base/any-code.ts";
import { describeCause } from "../tick/pure/cause-words.ts";
import { neutralise } from "../base/style.ts";
import { type CallToolResult, McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { readVersion } from "../terminal/global-options.ts";
import { type OfferedTool, listTools, type RunRules } from "./mcp-tools.ts";
import { ACCEPT_VARIABLE } from "../workspace/own-environment.ts";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { parseChoices, writeChoices } from "../terminal/choice-options.ts";
import type { RunCommand, Session } from "../terminal/command.ts";
import type { Options } from "../terminal/option-spec.ts";
import type { McpOptions } from "./mcp-spec.ts";

/** Calls a command of relais in a process of its own and reads the one document that it prints with `--json`. */

/**
 * What an answer may have. It is sent twice, as data and as text in quotes, and clients read messages of at most ten
 * megabytes.
 */
const BYTES_MAX = 2 * 1024 * 1024;

const AnyDocument = v.record(v.string(), v.unknown());
export type AnyDocument = v.InferOutput<typeof AnyDocument>;

export interface CalledAnswer {
  /** Whether the command ended with status 0. */
  readonly isOk: boolean;
  readonly document: AnyDocument;
}

export type RelaisCall = Omit<RelaisRequest, "bytesMax">;

export async function callRelais(call: RelaisCall): Promise<CalledAnswer> {
  const [command = ""] = call.args;
  try {
    return readAnswer(command, await runRelais({ ...call, bytesMax: BYTES_MAX }));
  } catch (error) {
    return fail("not_started", `relais ${command} could not be started: ${describeError(error)}`);
  }
}

function readAnswer(command: string, { end, stdout, isTooLong, lastLines }: RelaisEnd): CalledAnswer {
  const ended = `relais ${command} ended with ${typeof end === "number" ? `status ${end}` : end}`;
  if (isTooLong) return fail("too_large", `${ended}, but its answer has more than ${BYTES_MAX} bytes.`);
  const document = parseDocument(stdout);
  return document === null
    ? fail("no_answer", `${ended} and without an answer.`, lastLines)
    : { isOk: end === 0, document };
}

function parseDocument(text: string): AnyDocument | null {
  try {
    const parsed = v.safeParse(AnyDocument, JSON.parse(text));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

const REMEDIES = {
  not_started: "Check the folder that `relais mcp` was started in, and that relais is still installed.",
  too_large: "Run the same command in a terminal.",
  no_answer: "Call status. If it shows an unfinished tick, a person runs `relais recover`.",
} as const;

function fail(error: keyof typeof REMEDIES, message: string, problems: readonly string[] = []): CalledAnswer {
  return { isOk: false, document: { error, message, problems, remedy: REMEDIES[error] } };
}

const Text = v.fallback(v.nullable(v.string()), null);
/** Every failure of a command, and the report of a tick that did not succeed. */
const FailedDocument = v.object({
  error: Text,
  code: v.fallback(v.nullable(AnyCode), null),
  cause: Text,
  message: Text,
  remedy: Text,
});

/** What went wrong and what to do next, in one line. */
export function describeFailedCall(document: object): string {
  const { error, code, cause, message, remedy } = v.parse(FailedDocument, { ...ABSENT, ...document });
  const words = code === null ? { meaning: "the answer says why.", remedy: null } : describeCause(code, cause);
  const next = remedy ?? words.remedy;
  const sentence = `${code ?? error ?? cause ?? "failed"}: ${message ?? words.meaning}`;
  return neutralise(next === null ? sentence : `${sentence} Next: ${next}`);
}

const ABSENT = { error: null, code: null, cause: null, message: null, remedy: null };

/** The shortest time between two reports, and the longest: many clients give up on a call that is silent for a minute. */
const SHORTEST_MS = 500;
const LONGEST_MS = 15_000;

export interface Progress {
  /** Takes a line of a command's log. */
  readonly onLine: (line: string) => void;
  readonly close: () => void;
}

export const UNREPORTED: Progress = { onLine: () => {}, close: () => {} };

/** Reports the newest line, at once or after a moment, and again while nothing happens. */
export function openProgress(send: (progress: number, message: string) => void): Progress {
  let newest = "started";
  let count = 0;
  let timer: NodeJS.Timeout | null = null;
  let sentMs = Number.NEGATIVE_INFINITY;
  const sendNow = (): void => {
    count += 1;
    sentMs = performance.now();
    send(count, newest);
    sendIn(LONGEST_MS);
  };
  const sendIn = (ms: number): void => {
    clearTimeout(timer ?? undefined);
    timer = setTimeout(sendNow, ms);
  };
  sendNow();
  return {
    onLine: (line) => {
      newest = line.replace(/^\d\d:\d\d:\d\d /, "");
      const waited = performance.now() - sentMs;
      if (waited >= SHORTEST_MS) sendNow();
      else sendIn(SHORTEST_MS - waited);
    },
    close: () => clearTimeout(timer ?? undefined),
  };
}

/** The server of the protocol: it checks what a caller gives to a tool, and hands over what is valid. */

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
  const { relais, cwd } = session;
  // The server has this tool only where a person said so.
  const environment = { ...session.environment, ...(tool.name === "accept" ? { [ACCEPT_VARIABLE]: "1" } : {}) };
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
