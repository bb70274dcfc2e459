/**
 * Small files that others may have replaced by anything.
 *
 * They are read without a thread of their own: it would take longer to hand each call to one than to do it.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { readErrorCode } from "./read-files.ts";

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Refusals that the path itself causes. Any other error (no descriptors left, a broken disk) says nothing about it. */
/** The reason where another user owns a file: nothing is damaged. */
export const NOT_READABLE = "it may not be read";
const UNREADABLE = { kind: "refused", why: "unreadable", reason: NOT_READABLE } as const;
const SPECIAL = { kind: "refused", why: "special", reason: "it is not an ordinary file" } as const;
const REFUSALS: Readonly<Record<string, ReadRefusal>> = {
  ELOOP: { kind: "refused", why: "link", reason: "it is a link" },
  EACCES: UNREADABLE,
  EPERM: UNREADABLE,
  ENXIO: SPECIAL,
  EOPNOTSUPP: SPECIAL,
};

/** The outcome for a path that should hold a small ordinary file. */
export type BoundedRead =
  | { readonly kind: "read"; readonly data: Buffer }
  | { readonly kind: "missing" }
  | {
      readonly kind: "refused";
      readonly why: "link" | "folder" | "special" | "unreadable" | "too_large";
      /** The same as words, with the file as "it". */
      readonly reason: string;
    };

export type ReadRefusal = Extract<BoundedRead, { kind: "refused" }>;

export function describeTooLarge(bytesMax: number): ReadRefusal {
  return { kind: "refused", why: "too_large", reason: `it is larger than ${bytesMax} bytes` };
}

/**
 * Reads a file that others may have replaced by anything: a link is not followed, a pipe or a device does not make us
 * wait, and no more than `bytesMax` is ever held.
 */
export async function readBounded(path: string, bytesMax: number): Promise<BoundedRead> {
  return withOrdinaryFile(path, (descriptor, size) => readWhole(descriptor, size, bytesMax));
}

/** Opens an ordinary file that others may have replaced by anything, and closes it after the work. */
export async function withOrdinaryFile<T>(
  path: string,
  work: (descriptor: number, size: number) => T | Promise<T>,
): Promise<T | Exclude<BoundedRead, { kind: "read" }>> {
  const opened = openOrdinary(path);
  if (typeof opened !== "number") return opened;
  try {
    const stats = fstatSync(opened);
    if (stats.isDirectory()) return { kind: "refused", why: "folder", reason: "it is a folder" };
    if (!stats.isFile()) return SPECIAL;
    return await work(opened, stats.size);
  } finally {
    closeSync(opened);
  }
}

function openOrdinary(path: string): number | Exclude<BoundedRead, { kind: "read" }> {
  try {
    return openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const code = readErrorCode(error);
    if (["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes(code ?? "")) return { kind: "missing" };
    const refusal = code === null ? undefined : REFUSALS[code];
    if (refusal === undefined) throw error;
    return refusal;
  }
}

function readWhole(descriptor: number, size: number, bytesMax: number): BoundedRead {
  if (size > bytesMax) return describeTooLarge(bytesMax);
  // One byte more than there is, to notice that the size is outdated by now; then there is room for the whole limit.
  let buffer = Buffer.alloc(size + 1);
  let length = 0;
  for (;;) {
    const bytesRead = readSync(descriptor, buffer, length, buffer.length - length, null);
    length += bytesRead;
    if (length > bytesMax) return describeTooLarge(bytesMax);
    if (bytesRead === 0) return { kind: "read", data: buffer.subarray(0, length) };
    if (length === buffer.length) buffer = Buffer.concat([buffer], bytesMax + 1);
  }
}
