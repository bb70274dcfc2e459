/**
 * Text that somebody else wrote, as a section of a prompt.
 *
 * It stands in a fence that is longer than any run of backticks inside it, so nothing in it can end the fence and pass
 * for words of the prompt. The same text gives the same section, because a prompt that begins like the one before is
 * cheaper to read.
 */
import { neutraliseText } from "../words/harmless-text.ts";

const FENCE_MIN = 3;
const NOTHING = "(nothing)";

/** The section; what is longer than `bytesMax` is cut at the end of a line, and the section says so. */
export function frameSection(text: string, bytesMax: number): string {
  const whole = trimmed(neutraliseText(text));
  if (whole === "") return NOTHING;
  const { kept, bytes, bytesKept } = cut(whole, bytesMax);
  const fence = "`".repeat(Math.max(FENCE_MIN, longestRun(kept) + 1));
  const note = bytesKept === bytes ? "" : `\n(cut: the first ${bytesKept} of ${bytes} bytes)`;
  return `${fence}\n${kept}\n${fence}${note}`;
}

/** How many bytes a text has as UTF-8. */
export function countBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Without empty lines before and after it. */
function trimmed(text: string): string {
  return text.replace(/^\s*\n/u, "").trimEnd();
}

function cut(text: string, bytesMax: number): { kept: string; bytes: number; bytesKept: number } {
  const data = new TextEncoder().encode(text);
  if (data.length <= bytesMax) return { kept: text, bytes: data.length, bytesKept: data.length };
  let end = Math.max(0, bytesMax);
  // Inside a character every byte but its first begins with the bits 10.
  while (end > 0 && ((data[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  const part = new TextDecoder().decode(data.subarray(0, end));
  const lineEnd = part.lastIndexOf("\n");
  const kept = lineEnd > 0 ? part.slice(0, lineEnd) : part;
  return { kept, bytes: data.length, bytesKept: countBytes(kept) };
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/gu)) longest = Math.max(longest, run.length);
  return longest;
}
