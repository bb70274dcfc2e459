/**
 * The part of a session's output that is kept.
 *
 * A session may print gigabytes. The first bytes go into memory and into the log up to their caps, the rest is only
 * counted. The log is written synchronously, so nothing can pile up between the pipe and the disk.
 */
import { closeSync, constants, openSync } from "node:fs";
import { writeFully } from "../system/write-files.ts";
import { createRedactor } from "../system/redact-secrets.ts";

const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW } = constants;

/** Room in the log for the notice about bytes that were not kept. */
const NOTICE_BYTES_MAX = 96;
const BUFFER_BYTES_MIN = 4096;
const TAIL_BYTES_MAX = 4096;

interface LogRequest {
  readonly path: string;
  readonly bytesMax: number;
}

export interface OutputLimits {
  /** Both streams as they come, without secrets, appended to a file that grows by no more than `bytesMax`. */
  readonly log: LogRequest | null;
  readonly stdoutBytesMax: number;
  readonly stderrBytesMax: number;
}

export interface KeptOutput {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly stdoutTruncated: boolean;
  /** The end of both streams, without the secrets. */
  readonly tail: Buffer;
  /** All bytes of both streams, kept or not. */
  readonly bytesTotal: number;
}

export interface OutputKeeper {
  readonly take: (chunk: Buffer, stream: "stdout" | "stderr") => void;
  readonly kept: () => KeptOutput;
  readonly bytesTotal: () => number;
  readonly close: () => void;
}

/** Opens the log, if any. Output is kept in memory as it came, with its secrets. */
export function keepOutput(limits: OutputLimits, secrets: readonly Buffer[] = []): OutputKeeper {
  const { log, stdoutBytesMax, stderrBytesMax } = limits;
  const shown = { stdout: createRedactor(secrets), stderr: createRedactor(secrets) };
  const kept = { stdout: openCappedBuffer(stdoutBytesMax), stderr: openCappedBuffer(stderrBytesMax) };
  const file = log === null ? null : openCappedLog(log);
  const tail = openTail(TAIL_BYTES_MAX);
  const bytesTotal = (): number => kept.stdout.bytesSeen() + kept.stderr.bytesSeen();
  return {
    take: (chunk, stream) => {
      kept[stream].append(chunk);
      const visible = shown[stream].take(chunk);
      file?.append(visible);
      tail.append(visible);
    },
    kept: () => ({
      stdout: kept.stdout.content(),
      stderr: kept.stderr.content(),
      stdoutTruncated: kept.stdout.bytesSeen() > kept.stdout.content().length,
      tail: tail.content(),
      bytesTotal: bytesTotal(),
    }),
    bytesTotal,
    close: () => {
      for (const { rest } of Object.values(shown)) file?.append(rest());
      file?.close();
    },
  };
}

/** One growing buffer and not a list of chunks: a million chunks of one byte would cost a hundred times their size. */
function openCappedBuffer(bytesMax: number) {
  let buffer = Buffer.alloc(0);
  let length = 0;
  let bytesSeen = 0;
  return {
    append: (chunk: Buffer): void => {
      bytesSeen += chunk.length;
      const taken = chunk.subarray(0, bytesMax - length);
      if (length + taken.length > buffer.length) {
        const size = Math.max(length + taken.length, buffer.length * 2, BUFFER_BYTES_MIN);
        const grown = Buffer.alloc(Math.min(size, bytesMax));
        buffer.copy(grown, 0, 0, length);
        buffer = grown;
      }
      length += taken.copy(buffer, length);
    },
    content: () => buffer.subarray(0, length),
    bytesSeen: () => bytesSeen,
  };
}

/** The newest bytes of a stream; older ones are dropped once there is twice as much as needed. */
function openTail(bytesMax: number) {
  let chunks: Buffer[] = [];
  let length = 0;
  const content = (): Buffer => Buffer.concat(chunks).subarray(-bytesMax);
  return {
    append: (chunk: Buffer): void => {
      // Copied, because a chunk is a view of a larger buffer that would be held with it.
      chunks.push(Buffer.from(chunk.subarray(-bytesMax)));
      length += Math.min(chunk.length, bytesMax);
      if (length <= bytesMax * 2) return;
      chunks = [Buffer.from(content())];
      length = chunks[0]?.length ?? 0;
    },
    content,
  };
}

function openCappedLog({ path, bytesMax }: { readonly path: string; readonly bytesMax: number }) {
  const file = openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
  let room = Math.max(0, bytesMax - NOTICE_BYTES_MAX);
  let dropped = 0;
  return {
    append: (chunk: Buffer): void => {
      const taken = chunk.subarray(0, room);
      dropped += chunk.length - taken.length;
      room -= taken.length;
      writeFully(file, taken);
    },
    close: (): void => {
      try {
        if (dropped > 0) writeFully(file, Buffer.from(`\n[relais: ${dropped} more bytes were printed and not kept]\n`));
      } finally {
        closeSync(file);
      }
    },
  };
}
