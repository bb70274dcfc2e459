import { readBuilderResult } from "../documents/read-builder-result.ts";

/** What the builder of one tick is told and may leave, besides the change itself. */
export interface BuilderBrief {
  /** All that it reads from its standard input; null where TASK.json says everything. */
  readonly prompt: string | null;
  /** What it finds in its drop folder, by file name. */
  readonly files: Readonly<Record<string, string>>;
  /** What it may leave there besides its result: how many bytes of which file. */
  readonly proposals: Readonly<Record<string, number>>;
  /** The tools that it may use, of those that the configuration grants; absent is all of them. */
  readonly tools?: readonly string[];
  /** The name of the published schema that its result follows. */
  readonly schema: string;
  readonly read: (left: BuilderWords) => ReadWords;
  /** Whether words that cannot be read are a failure whatever the configuration says. */
  readonly isStrict?: boolean;
}

/** What the builder left, as bytes that nobody has looked at yet. */
export interface BuilderWords {
  readonly result: Uint8Array;
  readonly proposals: ReadonlyMap<string, Uint8Array>;
  /** What lies at the place of a proposal and was not taken, with the reason. */
  readonly refused?: ReadonlyMap<string, string>;
}

/** What the builder says, or the cause why it could not be read. */
type ReadWords =
  | {
      readonly kind: "valid";
      readonly summary: string;
      /** What the workflow wants to remember of it, in the journal. */
      readonly data: Readonly<Record<string, unknown>> | null;
    }
  | { readonly kind: "invalid"; readonly cause: string; readonly message: string };

/** The brief of a builder that has TASK.json and leaves nothing but the usual result. */
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
