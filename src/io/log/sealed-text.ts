/** A text behind a first line with its hash, so that a part of it is none: the snapshot of a queue, and what is remembered. */
import { hash } from "node:crypto";

export function sealText(body: string): string {
  return `${hash("sha256", body)}\n${body}`;
}

/** Null where it is not as it was sealed. */
export function openSealedText(text: string): string | null {
  const end = text.indexOf("\n");
  const body = text.slice(end + 1);
  return end !== -1 && text.slice(0, end) === hash("sha256", body) ? body : null;
}
