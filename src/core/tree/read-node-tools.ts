import { NodeTools } from "../../contract/values/node-tools.ts";
import { parseWith } from "../../contract/schema/schema-error.ts";
import { parseDocument } from "../documents/parse-document.ts";

export type ReadNodeTools =
  /** Null where the leaf has no list of its own, and nothing is taken from its session. */
  | { readonly kind: "tools"; readonly tools: readonly string[] | null }
  | { readonly kind: "invalid"; readonly problem: string };

/** Reads a leaf's tools.json strictly: a list that nobody understands must not become no restriction at all. */
export function readNodeTools(text: string | null): ReadNodeTools {
  if (text === null) return { kind: "tools", tools: null };
  const document = parseDocument(new TextEncoder().encode(text));
  if (document.kind === "broken") return { kind: "invalid", problem: `it ${document.problem}` };
  const read = parseWith(NodeTools, document.value);
  if (read.kind === "valid") return { kind: "tools", tools: read.value.allowed_tools };
  return { kind: "invalid", problem: read.problems[0]?.message ?? "it is not valid" };
}
