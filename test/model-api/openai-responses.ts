/** OpenAI's Responses API, as far as codex uses it. */
import * as v from "valibot";
import { type Dialect, type ModelApi, serveModel, type StreamEvent } from "./loopback.ts";
import { type Answer, scriptOf, type ToolCall, type Turn } from "./script.ts";

const Part = v.looseObject({ text: v.optional(v.string(), "") });
const Content = v.union([v.string(), v.array(Part)]);
const Item = v.looseObject({
  content: v.optional(v.nullable(Content), ""),
  output: v.optional(Content, ""),
});
const Body = v.looseObject({
  model: v.optional(v.string(), ""),
  instructions: v.optional(v.nullable(v.string()), ""),
  input: v.array(Item),
});

const textOf = (content: v.InferOutput<typeof Content> | null): string =>
  typeof content === "string" ? content : (content ?? []).map(({ text }) => text).join("\n");

function words(body: unknown): string {
  const { instructions, input } = v.parse(Body, body);
  const told = input.flatMap(({ content, output }) => [textOf(content), textOf(output)]);
  return [instructions ?? "", ...told].join("\n");
}

function outputOf({ text, calls }: Answer, id: string): readonly object[] {
  const message = {
    type: "message",
    id: `${id}_message`,
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text, annotations: [] }],
  };
  const called = calls.map((call, index) => calledItem(call, `${id}_call_${index}`));
  return text === "" && calls.length > 0 ? called : [message, ...called];
}

function calledItem({ tool, input }: ToolCall, id: string): object {
  const call = { id, call_id: id, name: tool, status: "completed" };
  return typeof input === "string"
    ? { type: "custom_tool_call", ...call, input }
    : { type: "function_call", ...call, arguments: JSON.stringify(input) };
}

let responses = 0;

interface Response {
  readonly output: readonly object[];
}

function responseOf(answer: Answer, body: unknown): Response {
  responses += 1;
  const id = `resp_${responses}`;
  const { input, cached, output } = answer.usage;
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  };
  const { model } = v.parse(Body, body);
  const head = { id, object: "response", created_at: 1_700_000_000, status: "completed", model, usage };
  return { ...head, output: outputOf(answer, id) };
}

function events(answer: Answer, body: unknown): readonly StreamEvent[] {
  const response = responseOf(answer, body);
  const all: StreamEvent[] = [];
  const add = (event: string, data: object): void => {
    all.push({ event, data: { type: event, sequence_number: all.length, ...data } });
  };
  add("response.created", { response: { ...response, status: "in_progress", output: [], usage: null } });
  response.output.forEach((item, output_index) => {
    add("response.output_item.added", { output_index, item: { ...item, status: "in_progress" } });
    add("response.output_item.done", { output_index, item });
  });
  add("response.completed", { response });
  return all;
}

const DIALECT: Dialect = {
  path: "/v1/responses",
  words,
  events,
  whole: responseOf,
  error: (status, error) => ({
    error: { message: `scripted ${status}`, type: "server_error", code: null, param: null, ...error },
  }),
};

export function serveResponses(turns: readonly Turn[]): Promise<ModelApi> {
  return serveModel(DIALECT, scriptOf(turns));
}
