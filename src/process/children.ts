import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { Leash } from "../records/session-process.ts";
import { describeError, MeasurementError } from "../base/errors.ts";
import { LIFELINE, LIFELINE_VARIABLE } from "../base/environment.ts";
import { noteProcess } from "../system/process-notes.ts";
import { readOwnIdentity } from "./process-identity.ts";
import { findProcessStart } from "./process-table.ts";
import { sendSignal } from "./supervise-family.ts";
import type { Exit } from "./supervise-launch.ts";
import { isRecord } from "../base/quantity.ts";
import { followLines } from "../system/follow-file.ts";

/**
 * Starts a program that lives no longer than this process, in a session of its own.
 *
 * Its third descriptor is a pipe, its lifeline. The program waits for a byte on it before it does anything, so that its
 * number can be recorded first; the end of the pipe, by a kill of this process too, asks it to end. A leash ends it when
 * this process says nothing any more (`src/terminal/hold-lifeline.ts`).
 */

interface ChildRequest {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Files for its two streams; replaced. */
  readonly out: string;
  readonly log: string;
}

export interface Child {
  readonly pid: number;
  readonly birth: string;
  readonly boot: string;
  /** Lets it work. */
  readonly begin: () => void;
  /** Lets it work until then, at most. */
  readonly hold: (leash: Leash) => void;
  readonly exit: Promise<Exit>;
  /** To the program alone. */
  readonly signal: (signal: NodeJS.Signals) => void;
}

export async function startChild({ argv: [program, ...args], cwd, env, out, log }: ChildRequest): Promise<Child> {
  const { bootId: boot } = await readOwnIdentity();
  const files = [out, log].map((path) => openSync(path, "w", 0o600));
  const child = spawn(program, args, {
    cwd,
    env: { ...env, [LIFELINE_VARIABLE]: String(LIFELINE) },
    detached: true,
    stdio: ["ignore", ...files, "pipe"],
  });
  for (const file of files) closeSync(file);
  noteProcess({ child, argv: [program, ...args], env });
  const exit = new Promise<Exit>((done) => child.once("exit", (status, signal) => done({ status, signal })));
  const { pid } = child;
  if (pid === undefined) {
    const error = await new Promise<unknown>((done) => child.once("error", done));
    throw new MeasurementError(program, `could not be started: ${describeError(error)}`);
  }
  let isOver = false;
  void exit.then(() => (isOver = true));
  const lifeline = child.stdio[LIFELINE];
  // A child that has ended closes its side; its exit says more.
  lifeline?.on("error", () => {});
  const write = (text: string): void =>
    void (lifeline !== null && lifeline !== undefined && "write" in lifeline && lifeline.write(text));
  const birth = (await findProcessStart(pid)) ?? "";
  return {
    pid,
    birth,
    boot,
    begin: () => write("1\n"),
    hold: ({ stopMs, endMs }) => write(`${Math.floor(stopMs)} ${Math.floor(endMs)}\n`),
    exit,
    signal: (signal) => (isOver ? undefined : sendSignal(pid, signal)),
  };
}

/** The last document in the output of a relais; null where there is none. */
export function readLastDocument(path: string): Readonly<Record<string, unknown>> | null {
  const last = followLines(path)(true).findLast((line) => line.startsWith("{"));
  if (last === undefined) return null;
  try {
    const document: unknown = JSON.parse(last);
    return isRecord(document) ? document : null;
  } catch {
    return null; // The disk was full, perhaps.
  }
}

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
