/** The options or the files of the caller cannot be used. */
export interface Misuse {
  readonly kind: "misused";
  readonly message: string;
  readonly problems: readonly string[];
  /** Absent where the usage of the command helps. */
  readonly remedy?: string;
}

export function reportMisuse(message: string, problems: readonly string[] = []): Misuse {
  return { kind: "misused", message, problems };
}
