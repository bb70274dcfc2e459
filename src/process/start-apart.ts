import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { noteProcess } from "../system/process-notes.ts";

interface ApartRequest {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: string;
}

export interface ApartProcess {
  /** Null where it could not be started. */
  readonly pid: number | null;
  readonly isOver: () => boolean;
}

/** Starts a program that goes on when this process and its terminal are gone. */
export function startApart({ argv: [program, ...args], cwd, env, log }: ApartRequest): ApartProcess {
  const output = openSync(log, "a", 0o600);
  try {
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", output, output] });
    noteProcess({ child, argv: [program, ...args], env, isApart: true });
    let isOver = child.pid === undefined;
    child.once("error", () => (isOver = true)).once("exit", () => (isOver = true));
    child.unref();
    return { pid: child.pid ?? null, isOver: () => isOver };
  } finally {
    closeSync(output);
  }
}
