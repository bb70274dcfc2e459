import { BuilderResult } from "../../contract/agents/builder-result.ts";
import { joinProblems, parseWith } from "../../contract/schema/schema-error.ts";
import { type ExtractRefusal, extractAnswer } from "./extract-json.ts";

export type ReadBuilderResult =
  | { readonly kind: "valid"; readonly result: BuilderResult }
  | {
      readonly kind: "invalid";
      readonly cause: `result_${ExtractRefusal | "invalid"}`;
      readonly message: string;
    };

export function readBuilderResult(data: Uint8Array): ReadBuilderResult {
  const extracted = extractAnswer(data);
  if (extracted.kind === "refused")
    return { kind: "invalid", cause: `result_${extracted.cause}`, message: extracted.message };
  const result = parseWith(BuilderResult, extracted.value);
  if (result.kind === "valid") return { kind: "valid", result: result.value };
  return { kind: "invalid", cause: "result_invalid", message: joinProblems(result.problems) };
}
