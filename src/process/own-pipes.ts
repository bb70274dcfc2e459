/**
 * Pipes for the output of programs.
 *
 * Node's own "pipes" are sockets, and on Linux a script that writes to /dev/stderr, as many do, cannot open a socket and
 * fails. So the pipes are made by mkfifo there. A process for two pipes would cost more than a short program, so several
 * are made at once. Both ends are open before a pipe loses its name, and each is given to one program only.
 */
import { closeSync, constants, existsSync, mkdtempSync, openSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { beginOwnName } from "../system/own-folders.ts";
import { removeFolder } from "../system/remove-own.ts";
import { findSystemTool } from "../system/system-tool.ts";

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;
const MKFIFO = ["/usr/bin/mkfifo", "/bin/mkfifo", "/run/current-system/sw/bin/mkfifo"];
/** For eight programs; a tick starts two to four. */
const MADE_AT_ONCE = 16;
/** What a pipe of Linux holds. */
const PIPE_BYTES = 64 * 1024;

export interface Pipe {
  readonly reader: number;
  readonly writer: number;
}

const spare: Pipe[] = [];

/** A pipe for each of standard output and standard error; null where the system has none. The taker closes all ends. */
export async function takePipes(temporaryRoot: string): Promise<Readonly<Record<"stdout" | "stderr", Pipe>> | null> {
  if (spare.length < 2) spare.push(...(await makePipes(temporaryRoot)));
  const stdout = spare.pop();
  const stderr = spare.pop();
  return stdout === undefined || stderr === undefined ? null : { stdout, stderr };
}

async function makePipes(temporaryRoot: string): Promise<readonly Pipe[]> {
  const mkfifo = process.platform === "linux" ? MKFIFO.find((path) => existsSync(path)) : undefined;
  if (mkfifo === undefined) return [];
  const folder = mkdtempSync(join(temporaryRoot, beginOwnName()));
  try {
    const paths = Array.from({ length: MADE_AT_ONCE }, (_, index) => join(folder, String(index)));
    return (await findSystemTool(mkfifo, ["-m", "600", ...paths])) === null ? [] : paths.map(openPipe);
  } finally {
    removeFolder(folder);
  }
}

function openPipe(path: string): Pipe {
  // The reading end first: opening a pipe for writing waits until somebody reads.
  const reader = openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    return { reader, writer: openSync(path, O_WRONLY) };
  } catch (error) {
    closeSync(reader);
    throw error;
  }
}

/**
 * Reads what comes through a pipe into one buffer that is used again and again: a new one for every chunk of a flood
 * would be garbage faster than it is collected. So a chunk is good only until `onChunk` has ended.
 */
export function readPipe(reader: number, onChunk: (chunk: Buffer) => void): Socket {
  const buffer = Buffer.alloc(PIPE_BYTES);
  const callback = (length: number): boolean => {
    onChunk(buffer.subarray(0, length));
    return true;
  };
  const options = { fd: reader, readable: true, writable: false, onread: { buffer, callback } };
  return new Socket(options);
}
