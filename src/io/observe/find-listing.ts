/**
 * Everything below a folder as GNU find prints it: one call of the system for each entry, as in a walk of our own, but in
 * half the time, and another look at the same tree is mostly a comparison of bytes.
 *
 * Find follows nothing and opens only folders. It is started by its path in the system, never from the PATH, where a
 * repository could offer its own.
 */
import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import { closeSync, existsSync } from "node:fs";
import type { Socket } from "node:net";
import type { Entry, EntryType } from "../../contract/evidence/manifest.ts";
import { noteProcess } from "../debug/process-notes.ts";
import { type Pipe, readPipe, takePipes } from "../process/own-pipes.ts";

const PROGRAMS = ["/usr/bin/find", "/bin/find", "/run/current-system/sw/bin/find"];
const TIMEOUT_MS = 600_000;
/** The path; type, mode, size, owner, hard links, inode, times of content and inode; the target of a link. */
const FORMAT = String.raw`%P\0%y %m %s %U:%G %n %i %T@ %C@\0%l\0`;

export interface FindRequest {
  /** In ASCII, so that it is the same bytes as text. */
  readonly folder: string;
  /** A folder at the top that is left out. */
  readonly without: string | null;
  /** With more output it is stopped. */
  readonly bytesMax: number;
  readonly temporaryRoot: string;
}

/**
 * Whether `take` had all of it. Find may be missing, be another program of that name, fail at an entry, or print too
 * much. A chunk is good only until `take` has ended.
 */
export async function listByFind(request: FindRequest, take: (chunk: Buffer) => void): Promise<boolean> {
  const program = process.platform === "linux" ? PROGRAMS.find((path) => existsSync(path)) : undefined;
  const pipes = program === undefined ? null : await takePipes(request.temporaryRoot);
  if (program === undefined || pipes === null) return false;
  const child = startFind(program, request, pipes);
  for (const { writer } of Object.values(pipes)) closeSync(writer);
  let bytes = 0;
  let isWhole = child !== null;
  const stop = (): void => {
    isWhole = false;
    child?.kill("SIGKILL");
  };
  const takeChunk = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (!isWhole) return;
    try {
      if (bytes > request.bytesMax) stop();
      else take(chunk);
    } catch {
      stop();
    }
  };
  const output = [readPipe(pipes.stdout.reader, takeChunk), readPipe(pipes.stderr.reader, stop)];
  const status = child === null ? null : await awaitEnd(child);
  await Promise.all(output.map(awaitClose));
  return status === 0 && isWhole;
}

function awaitEnd(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once("error", () => resolve(null));
    child.once("close", resolve);
  });
}

function awaitClose(stream: Socket): Promise<void> {
  return stream.closed ? Promise.resolve() : new Promise((resolve) => stream.once("close", () => resolve()));
}

/** Null where the folder is none, such as a file that a builder put in its place. */
function startFind(
  program: string,
  { folder, without }: FindRequest,
  { stdout, stderr }: Readonly<Record<"stdout" | "stderr", Pipe>>,
): ChildProcess | null {
  const skipped = without === null ? [] : ["-name", without, "-path", `./${without}`, "-type", "d", "-prune", "-o"];
  const args = [".", ...skipped, "-printf", FORMAT];
  const env = { LC_ALL: "C" };
  try {
    const stdio: StdioOptions = ["ignore", stdout.writer, stderr.writer];
    const child = spawn(program, args, { cwd: folder, env, stdio, timeout: TIMEOUT_MS });
    noteProcess({ child, argv: [program, ...args], env });
    return child;
  } catch {
    return null;
  }
}

/** One entry of the output, as a byte string. */
export interface FindRecord {
  readonly path: string;
  /** All of it. */
  readonly text: string;
  /** Where the next one begins. */
  readonly end: number;
}

const PARTS = 3;

/** Null where there is no whole record. */
export function findRecordEnd(output: Buffer, start: number): number | null {
  let end = start;
  for (let part = 0; part < PARTS; part += 1) {
    end = output.indexOf(0, end) + 1;
    if (end === 0) return null;
  }
  return end;
}

export function readRecord(output: Buffer, start: number): FindRecord | null {
  const end = findRecordEnd(output, start);
  if (end === null) return null;
  const text = output.toString("latin1", start, end);
  return { path: text.slice(0, text.indexOf("\0")), text, end };
}

const HEAD = /\0([fdlpsbc]) ([0-7]+) (\d+) (\d+:\d+) (\d+) (\d+) (-?\d+)\.(\d{9})0 (-?\d+)\.(\d{9})0\0/y;
const TYPES: Readonly<Record<string, EntryType>> = {
  f: "file",
  d: "directory",
  l: "symlink",
  p: "fifo",
  s: "socket",
  b: "device",
  c: "device",
};

/** The entry as a walk of our own makes it, without the id of its content. Throws for a record of another form. */
export function makeListedEntry({ text, path }: Pick<FindRecord, "text" | "path">): Entry {
  HEAD.lastIndex = path.length;
  const fields = HEAD.exec(text);
  if (fields === null) throw new Error("find printed something else");
  const read = (group: number): string => fields[group] ?? "";
  const type = TYPES[read(1)] ?? "device";
  return {
    type,
    mode: Number.parseInt(read(2), 8),
    size: type === "directory" ? 0 : Number(read(3)),
    owner: read(4),
    hardLinks: type === "directory" ? 1 : Number(read(5)),
    stamp: `${read(6)}:${joinTime(read(7), read(8))}:${joinTime(read(9), read(10))}`,
    id: null,
    target: type === "symlink" ? text.slice(path.length + read(0).length, -1) : null,
    forced: false,
  };
}

/** In nanoseconds. Before 1970 find counts the fraction from the second before. */
function joinTime(seconds: string, nanoseconds: string): string {
  if (/^[1-9]/.test(seconds)) return seconds + nanoseconds;
  return String(BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds));
}
