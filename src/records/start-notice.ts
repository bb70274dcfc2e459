import type { DriverName } from "./agent.ts";
import type * as v from "valibot";

/** What a tick will do, for the person who typed a sentence. */
export interface StartNotice {
  readonly agent: v.InferOutput<typeof DriverName>;
  /** Null is the program's usual model. */
  readonly model: string | null;
  readonly allowedGlobs: readonly string[];
  readonly checks: readonly string[];
  /** The tool to install the packages with that a check needs; null if they are there. */
  readonly installer: string | null;
  /** Whether a passing change is committed: at once, or after the person's decision. */
  readonly isCommitted: boolean;
  /** Whether a passing change is held until a person decides. */
  readonly isAsked: boolean;
}
