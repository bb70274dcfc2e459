/** The lines of Claude Code that relais reads; all others are skipped. */
import * as v from "valibot";
import { Count } from "../base/quantity.ts";

export const Block = v.variant("type", [
  v.object({ type: v.literal("text"), text: v.string() }),
  v.object({ type: v.literal("thinking"), thinking: v.string() }),
  v.object({ type: v.literal("tool_use"), id: v.string(), name: v.string(), input: v.unknown() }),
  v.object({
    type: v.literal("tool_result"),
    tool_use_id: v.string(),
    is_error: v.optional(v.boolean(), false),
    content: v.unknown(),
  }),
]);
/** A result with nothing around it, as wrappers of the program print. */
export const BareResult = v.strictObject({ result: v.union([v.string(), v.looseObject({})]) });
/** A number that cannot be one, such as 1e999, must not hide the rest of its line. */
const Tokens = v.optional(v.fallback(v.pipe(Count, v.safeInteger()), 0), 0);
export const ClaudeLine = v.variant("type", [
  v.object({
    type: v.literal("assistant"),
    message: v.object({
      id: v.optional(v.string(), ""),
      content: v.array(v.unknown()),
      usage: v.optional(
        v.object({
          input_tokens: Tokens,
          cache_read_input_tokens: Tokens,
          cache_creation_input_tokens: Tokens,
        }),
      ),
    }),
  }),
  v.object({ type: v.literal("user"), message: v.object({ content: v.unknown() }) }),
  v.object({
    type: v.literal("system"),
    subtype: v.literal("api_retry"),
    attempt: v.fallback(v.pipe(Count, v.safeInteger()), 0),
    error_status: v.nullish(v.number()),
    error: v.optional(v.string(), ""),
  }),
  v.object({
    type: v.literal("rate_limit_event"),
    rate_limit_info: v.object({
      status: v.string(),
      resetsAt: v.nullish(v.number()),
      rateLimitType: v.optional(v.string(), "rate limit"),
      utilization: v.nullish(v.number()),
    }),
  }),
]);
export type ClaudeLine = v.InferOutput<typeof ClaudeLine>;
