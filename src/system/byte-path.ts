/**
 * Paths as byte strings: one character per byte.
 *
 * Node decodes names as UTF-8 and loses what is not; a byte string loses nothing, works as a map key, and is turned back
 * into the exact bytes for every call to the file system.
 */
import { Buffer } from "node:buffer";

export function toBytePath(path: string): string {
  return isAscii(path) ? path : Buffer.from(path, "utf8").toString("latin1");
}

/** Such a name is the same bytes in every encoding, and cheaper as text. */
export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

// oxlint-disable-next-line no-control-regex -- A name may hold any of them.
const ASCII = /^[\x00-\x7f]*$/;

/** The exact bytes of an entry below a folder; both are byte strings. */
export function joinBytes(folder: string, path: string): Buffer {
  return Buffer.from(path === "" ? folder : `${folder}/${path}`, "latin1");
}
