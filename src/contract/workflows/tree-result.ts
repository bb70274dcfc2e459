import * as v from "valibot";

/** What the agent of an iteration says about it. Only `done`, a change and a green guard together make a node pass. */
export const TreeResult = v.strictObject({
  status: v.picklist(["done", "retry", "decomposed"]),
  summary: v.pipe(v.string(), v.minLength(1), v.maxLength(800)),
});
export type TreeResult = v.InferOutput<typeof TreeResult>;
