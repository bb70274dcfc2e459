/** A text behind a first line with its hash, so that a part of it is none: the snapshot of a queue, and what is remembered. */
import { createHash } from "node:crypto";

export function sealText(body: string): string {
  return `${computeHash(body)}\n${body}`;
}

/** Null where it is not as it was sealed. */
export function openSealedText(text: string): string | null {
  const end = text.indexOf("\n");
  const body = text.slice(end + 1);
  return end !== -1 && text.slice(0, end) === computeHash(body) ? body : null;
}

function computeHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
