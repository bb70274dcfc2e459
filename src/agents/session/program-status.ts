/** What a program says about itself without asking a model. */
export interface ProgramStatus {
  /** Null where it does not say. */
  readonly version: string | null;
  /** How it is logged in, never the login itself. */
  readonly login: { readonly method: string } | "none" | "unknown";
  readonly options: OptionsKnown;
}

/** Whether it takes the arguments that sessions are started with; `problem` is its own message about them. */
export type OptionsKnown =
  { readonly kind: "known" } | { readonly kind: "refused"; readonly problem: string } | { readonly kind: "unclear" };

const VERSION = /(?:^|\s)(?<version>\d+\.\d+\.\d+[\w.+-]{0,40})/u;
const PROBLEM_CHARS_MAX = 300;

/** The version in a line like `codex-cli 1.2.3`; null where there is none. */
export function findVersionIn(text: string): string | null {
  return VERSION.exec(text.trim())?.groups?.["version"] ?? null;
}

/**
 * What an answer to the arguments of a session without a prompt means: a program that misses nothing but the prompt
 * knows all of them. Lists of options are no help here, because not every option that works is in them.
 */
export function detectOptions(stderr: string, missesPrompt: RegExp): OptionsKnown {
  if (missesPrompt.test(stderr)) return { kind: "known" };
  const problem = stderr.split("\n").find((line) => /^error\b/iu.test(line.trim()));
  if (problem === undefined) return { kind: "unclear" };
  return { kind: "refused", problem: problem.trim().slice(0, PROBLEM_CHARS_MAX) };
}
