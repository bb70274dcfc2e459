import type { Environment } from "../base/environment.ts";
import { supervise } from "../process/supervise.ts";

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

const VERSION = /(?:^|\s)(?<version>\d{1,9}\.\d{1,9}\.\d{1,9}[\w.+-]{0,40})/u;
const PROBLEM_CHARS_MAX = 300;

/** The version in a line like `codex-cli 1.2.3`; null where there is none. */
export function findVersionIn(text: string): string | null {
  return VERSION.exec(text.trim())?.groups?.["version"] ?? null;
}

/**
 * Reads the answer to the arguments of a session without a prompt: a program that misses only the prompt knows all of
 * them. Lists of options do not help, because not every option that works is in them.
 */
export function detectOptions(stderr: string, missesPrompt: RegExp): OptionsKnown {
  if (missesPrompt.test(stderr)) return { kind: "known" };
  const problem = stderr.split("\n").find((line) => /^error\b/iu.test(line.trim()));
  if (problem === undefined) return { kind: "unclear" };
  return { kind: "refused", problem: problem.trim().slice(0, PROBLEM_CHARS_MAX) };
}

/** Whom to ask about itself. */
export interface LoginRequest {
  readonly program: string;
  readonly environment: Environment;
  /** `env.agents`. */
  readonly names: readonly string[];
}

/** What a program answered; the status is null where it did not end by itself. */
export interface ProgramAnswer {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What it answered when it was asked for each. */
export interface StatusAnswers {
  readonly version: ProgramAnswer;
  readonly login: ProgramAnswer;
  readonly options: ProgramAnswer;
}

const DEADLINE_MS = 20_000;
const OUTPUT_BYTES_MAX = 64 * 1024;

/** Asks a program about itself, with nothing to read, outside of the repository, whose settings have no say in it. */
export async function askProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ProgramAnswer> {
  const end = await supervise({
    program,
    args,
    cwd: "/",
    env,
    input: null,
    log: null,
    stdoutBytesMax: OUTPUT_BYTES_MAX,
    stderrBytesMax: OUTPUT_BYTES_MAX,
    deadlineMs: DEADLINE_MS,
    outputBytesMax: OUTPUT_BYTES_MAX,
  });
  const text = { stdout: end.stdout.toString("utf8"), stderr: end.stderr.toString("utf8") };
  return { status: end.kind === "exited" ? end.status : null, ...text };
}
