/** Anthropic's Messages API, as far as Claude Code uses it. */
import * as v from "valibot";
import { type Dialect, type ModelApi, serveModel, type StreamEvent } from "./loopback.ts";
import { type Answer, scriptOf, type Turn } from "./script.ts";

const Result = v.looseObject({ text: v.optional(v.string(), "") });
const Block = v.looseObject({
  text: v.optional(v.string(), ""),
  content: v.optional(v.union([v.string(), v.array(Result)]), ""),
});
const Content = v.union([v.string(), v.array(Block)]);
const Body = v.looseObject({
  model: v.optional(v.string(), ""),
  system: v.optional(Content, ""),
  messages: v.array(v.looseObject({ content: Content })),
});

function textOf(content: v.InferOutput<typeof Content>): string {
  if (typeof content === "string") return content;
  return content
    .flatMap(({ text, content: inner }) => [
      text,
      typeof inner === "string" ? inner : inner.map((part) => part.text).join("\n"),
    ])
    .join("\n");
}

function words(body: unknown): string {
  const { system, messages } = v.parse(Body, body);
  return [textOf(system), ...messages.map(({ content }) => textOf(content))].join("\n");
}

let messages = 0;

interface Message {
  readonly content: readonly Readonly<Record<string, unknown>>[];
  readonly stop_reason: string;
  readonly usage: Readonly<Record<string, number>>;
}

function messageOf({ text, calls, stop, usage }: Answer, body: unknown): Message {
  messages += 1;
  const id = `msg_${messages}`;
  const said = text === "" && calls.length > 0 ? [] : [{ type: "text", text }];
  const called = calls.map(({ tool, input }, index) => ({
    type: "tool_use",
    id: `toolu_${messages}_${index}`,
    name: tool,
    input,
  }));
  const { model } = v.parse(Body, body);
  const head = { id, type: "message", role: "assistant", model, stop_sequence: null };
  return {
    ...head,
    content: [...said, ...called],
    stop_reason: stop ?? (calls.length > 0 ? "tool_use" : "end_turn"),
    usage: {
      input_tokens: usage.input,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: usage.cached,
      output_tokens: usage.output,
    },
  };
}

function events(answer: Answer, body: unknown): readonly StreamEvent[] {
  const message = messageOf(answer, body);
  const all: StreamEvent[] = [];
  const add = (event: string, data: object): void => {
    all.push({ event, data: { type: event, ...data } });
  };
  const { content, stop_reason, usage } = message;
  add("message_start", {
    message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
  });
  content.forEach((block, index) => {
    const isText = block["type"] === "text";
    add("content_block_start", {
      index,
      content_block: isText ? { ...block, text: "" } : { ...block, input: {} },
    });
    const delta = isText
      ? { type: "text_delta", text: block["text"] }
      : { type: "input_json_delta", partial_json: JSON.stringify(block["input"]) };
    add("content_block_delta", { index, delta });
    add("content_block_stop", { index });
  });
  add("message_delta", { delta: { stop_reason, stop_sequence: null }, usage });
  add("message_stop", {});
  return all;
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  404: "not_found_error",
  429: "rate_limit_error",
  529: "overloaded_error",
};

const DIALECT: Dialect = {
  path: "/v1/messages",
  words,
  events,
  whole: messageOf,
  error: (status, error) => ({
    type: "error",
    error: { type: ERROR_TYPES[status] ?? "api_error", message: `scripted ${status}`, ...error },
  }),
};

export function serveMessages(turns: readonly Turn[]): Promise<ModelApi> {
  return serveModel(DIALECT, scriptOf(turns));
}
