import { BuilderResult } from "../../records/builder-result.ts";
import { joinProblems, parseWith } from "../../base/schema-error.ts";
import { type ExtractRefusal, extractAnswer } from "../../base/extract-json.ts";

export interface BuilderBrief {
  /** Null if TASK.json says everything. */
  readonly prompt: string | null;
  readonly files: Readonly<Record<string, string>>;
  /** Other files that it may leave there: the name and the size limit. */
  readonly proposals: Readonly<Record<string, number>>;
  /** Among those that the configuration grants; absent is all of them. */
  readonly tools?: readonly string[];
  readonly schema: string;
  readonly read: (left: BuilderWords) => ReadWords;
  /** Whether an unreadable result is a failure whatever the configuration says. */
  readonly isStrict?: boolean;
}

/** As unread bytes. */
export interface BuilderWords {
  readonly result: Uint8Array;
  readonly proposals: ReadonlyMap<string, Uint8Array>;
  /** Proposals that were refused, with the reason. */
  readonly refused?: ReadonlyMap<string, string>;
}

type ReadWords =
  | {
      readonly kind: "valid";
      readonly summary: string;
      readonly data: Readonly<Record<string, unknown>> | null;
    }
  | { readonly kind: "invalid"; readonly cause: string; readonly message: string };

/** TASK.json and the usual result, nothing else. */
export const TASK_ONLY: BuilderBrief = {
  prompt: null,
  files: {},
  proposals: {},
  schema: "builder_result",
  read: ({ result }) => {
    const read = readBuilderResult(result);
    return read.kind === "valid" ? { kind: "valid", summary: read.result.summary, data: null } : read;
  },
};

type ReadBuilderResult =
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
