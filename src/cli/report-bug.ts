import { InvariantError } from "../contract/values/invariant.ts";
import { asksForJson } from "./main.ts";
import type { Terminal } from "./terminal-session.ts";

const INTERNAL_STATUS = 1;

interface Crash {
  readonly error: unknown;
  readonly args: readonly string[];
  /** The file that is running, beside which its source map lies. */
  readonly executable: string;
}

/** Prints an unexpected error with a trace that names the sources; returns the exit status. */
export async function reportBug({ error, args, executable }: Crash, terminal: Terminal): Promise<number> {
  const { shortenTrace } = await import("../run/shipped/readable-trace.ts");
  const raw = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const trace = shortenTrace(raw, executable);
  const kind = error instanceof InvariantError ? "a bug in relais" : "an unexpected failure";
  if (asksForJson(args)) terminal.out(`${JSON.stringify({ error: "internal", message: `${kind}: ${trace}` })}\n`);
  terminal.err(`relais: ${kind}. Please report it together with these lines:\n${trace}\n`);
  return INTERNAL_STATUS;
}
