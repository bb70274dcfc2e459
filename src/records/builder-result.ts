import * as v from "valibot";
import { limitedTexts } from "../base/quantity.ts";

/** What a builder says about its own work. It is shown to people and is never evidence. */
export const BuilderResult = v.strictObject({
  summary: v.pipe(v.string(), v.minLength(1), v.maxLength(800)),
  files_intended: limitedTexts({ maxLength: 300, maxItems: 200 }),
  commands_ran: limitedTexts({ maxLength: 300, maxItems: 50 }),
  notes: limitedTexts({ maxLength: 300, maxItems: 20 }),
});
export type BuilderResult = v.InferOutput<typeof BuilderResult>;
