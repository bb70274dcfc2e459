import { BuilderResult } from "../../contract/agents/builder-result.ts";
import { parseWith } from "../../contract/schema/schema-error.ts";
import { extractAnswer } from "./extract-answer.ts";
import type { ExtractRefusal } from "./extract-json.ts";

/** What a builder says about its work, or the cause why its words could not be read. */
export type ReadBuilderResult =
  | { readonly kind: "valid"; readonly result: BuilderResult }
  | {
      readonly kind: "invalid";
      readonly cause: `result_${ExtractRefusal | "invalid"}`;
      readonly message: string;
    };

const PROBLEMS_MAX = 5;

/** Reads the bytes that a builder left as its result. */
export function readBuilderResult(data: Uint8Array): ReadBuilderResult {
  const extracted = extractAnswer(data);
  if (extracted.kind === "refused")
    return { kind: "invalid", cause: `result_${extracted.cause}`, message: extracted.message };
  const result = parseWith(BuilderResult, extracted.value);
  if (result.kind === "valid") return { kind: "valid", result: result.value };
  const problems = result.problems.slice(0, PROBLEMS_MAX).map(({ message }) => message);
  return { kind: "invalid", cause: "result_invalid", message: problems.join("; ") };
}
