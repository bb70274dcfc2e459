/**
 * Asks tmux for sessions and panes.
 *
 * The server of tmux has to outlive the command that asked for it, so it is not supervised, and it only ever shows
 * things.
 */
import { execFile } from "node:child_process";
import { noteProcess } from "./process-notes.ts";

export interface Tmux {
  /** Its output; null where it refused. */
  readonly ask: (...args: readonly string[]) => Promise<string | null>;
}

const TIMEOUT_MS = 10_000;

/** The server of tmux may be started with this environment. */
export function openTmux(program: string, env: Readonly<Record<string, string | undefined>>): Tmux {
  return {
    ask: (...args) =>
      new Promise((resolve) => {
        const child = execFile(program, args, { env, timeout: TIMEOUT_MS }, (error, stdout) =>
          resolve(error === null ? stdout.trim() : null),
        );
        noteProcess({ child, argv: [program, ...args], env });
      }),
  };
}
