import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";

interface Apart {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where everything goes that it prints. */
  readonly log: string;
}

/** Starts a program that goes on when this process and its terminal are gone; answers with its process id. */
export function startApart({ argv: [program, ...args], cwd, env, log }: Apart): number | null {
  const output = openSync(log, "a", 0o600);
  try {
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", output, output] });
    child.unref();
    return child.pid ?? null;
  } finally {
    closeSync(output);
  }
}
