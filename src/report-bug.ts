import { InvariantError } from "./base/errors.ts";
import { shortenTrace } from "./readable-trace.ts";
import { asksForJson } from "./main.ts";
import type { Terminal } from "./terminal-session.ts";

const INTERNAL_STATUS = 1;

interface Crash {
  readonly error: unknown;
  readonly args: readonly string[];
  /** Holds the files that are running, each with its source map. */
  readonly folder: string;
}

/** Prints an unexpected error with a trace that names the sources; returns the exit status. */
export function reportBug({ error, args, folder }: Crash, terminal: Terminal): number {
  const raw = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const trace = shortenTrace(raw, folder);
  const kind = error instanceof InvariantError ? "a bug in relais" : "an unexpected failure";
  if (asksForJson(args)) terminal.out(`${JSON.stringify({ error: "internal", message: `${kind}: ${trace}` })}\n`);
  terminal.err(`relais: ${kind}. Please report it together with these lines:\n${trace}\n`);
  return INTERNAL_STATUS;
}
