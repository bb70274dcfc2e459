import * as v from "valibot";
import { Count } from "../base/quantity.ts";

/** How large the prompt of a session was. A service may read its beginning from a cache, which costs less. */
export const PromptSize = v.strictObject({
  bytes: Count,
  /** How many bytes its beginning shares with the prompt of the same role before; null if there was none. */
  shared_bytes: v.nullable(Count),
  /** Bytes by heading. */
  sections: v.record(v.string(), Count),
});
export type PromptSize = v.InferOutput<typeof PromptSize>;
