import * as v from "valibot";
import { limitedTexts } from "../base/quantity.ts";

/** Why a builder gives a task back. The words of each stand in the prompt of the builder. */
export const GivenBack = v.picklist(["cannot", "test_is_wrong", "needs_decision"]);
export type GivenBack = v.InferOutput<typeof GivenBack>;

/** What a builder says about its own work. It is shown to people and is never evidence. */
export const BuilderResult = v.strictObject({
  summary: v.pipe(v.string(), v.minLength(1), v.maxLength(800)),
  files_intended: limitedTexts({ maxLength: 300, maxItems: 200 }),
  commands_ran: limitedTexts({ maxLength: 300, maxItems: 50 }),
  notes: limitedTexts({ maxLength: 300, maxItems: 20 }),
  outcome: v.exactOptional(v.picklist(["done", ...GivenBack.options]), "done"),
  /** What a person can look at to see that it is so. */
  evidence: v.exactOptional(v.pipe(v.string(), v.maxLength(2000)), ""),
});
export type BuilderResult = v.InferOutput<typeof BuilderResult>;
