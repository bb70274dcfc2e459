/**
 * Text of others as a section of a prompt. Its fence is longer than any run of backticks inside, so the text cannot end
 * it. The same text gives the same section, because a prompt with the same beginning is cheaper.
 */
import { makeFence, neutraliseText } from "../../base/harmless-text.ts";

const NOTHING = "(nothing)";

/** A text longer than `bytesMax` is cut at the end of a line, and the section says so. */
export function frameSection(text: string, bytesMax: number): string {
  const whole = neutraliseText(text)
    .replace(/^\s*\n/u, "")
    .trimEnd();
  if (whole === "") return NOTHING;
  const { kept, bytes, bytesKept } = cutToBytes(whole, bytesMax);
  const fence = makeFence(kept);
  const note = bytesKept === bytes ? "" : `\n(cut: the first ${bytesKept} of ${bytes} bytes)`;
  return `${fence}\n${kept}\n${fence}${note}`;
}

export function countBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

function cutToBytes(text: string, bytesMax: number): { kept: string; bytes: number; bytesKept: number } {
  const data = new TextEncoder().encode(text);
  if (data.length <= bytesMax) return { kept: text, bytes: data.length, bytesKept: data.length };
  let end = Math.max(0, bytesMax);
  // Every byte of a character but the first starts with the bits 10.
  while (end > 0 && ((data[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  const part = new TextDecoder().decode(data.subarray(0, end));
  const lineEnd = part.lastIndexOf("\n");
  const kept = lineEnd > 0 ? part.slice(0, lineEnd) : part;
  return { kept, bytes: data.length, bytesKept: countBytes(kept) };
}
