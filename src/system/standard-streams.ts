/** The outputs of the process. Pipes and files are written directly: the streams of Node take longer to load than a small command. */
import { fstatSync, writeSync } from "node:fs";

/** Writes a text to an output. As a stream of Node, in the order of the calls, and before the next one if it is a pipe. */
export function makeWriter(
  descriptor: 1 | 2,
  openStream: () => NodeJS.WriteStream /** Never called while something is written. */,
  onError: (error: NodeJS.ErrnoException) => void,
): (text: string | Uint8Array) => void {
  let stream: NodeJS.WriteStream | null = null;
  const write = (bytes: string | Uint8Array): void => {
    stream ??= openStream().on("error", onError);
    stream.write(bytes);
  };
  if (isDevice(descriptor)) return write;
  return (text) => {
    if (stream !== null) return write(text);
    let rest = Buffer.from(text);
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      // A pipe that somebody told not to wait is full: a stream waits for its reader.
      if (isFull(error)) write(rest);
      else process.nextTick(onError, error);
    }
  };
}

/** Only a device can be a terminal. */
export function isDevice(descriptor: 1 | 2): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return true;
  }
}

const isFull = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "EAGAIN";
