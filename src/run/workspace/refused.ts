/** A command that a person gave and that cannot be carried out as things are; nothing was changed. */
export interface Refused {
  readonly kind: "refused";
  /** The tick that it is about, where there is one. */
  readonly runId: string | null;
  readonly cause: string;
  /** One sentence. */
  readonly message: string;
  readonly paths: readonly string[];
  /** What to do about it, as a sentence. */
  readonly next: string;
}

type Reason = Pick<Refused, "cause" | "message" | "next"> & Partial<Pick<Refused, "runId" | "paths">>;

export function refused({ cause, message, next, runId = null, paths = [] }: Reason): Refused {
  return { kind: "refused", cause, message, next, runId, paths };
}
