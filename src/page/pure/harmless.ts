import { neutraliseText } from "../../base/words.ts";

/** Longer texts are cut: a page must stay usable, and the command line shows them whole. */
const CHARS_MAX = 20_000;

/** The same document with every text harmless: nothing hidden, nothing that turns a line around, nothing endless. */
export function makeHarmless<T>(document: T): T;
export function makeHarmless(document: unknown): unknown {
  if (typeof document === "string") return neutraliseText(cutText(document));
  if (typeof document !== "object" || document === null) return document;
  if (Array.isArray(document)) return document.map((one: unknown) => makeHarmless(one));
  // Most documents have nothing to change, and a copy of thousands of rows takes a while.
  let copy: object | null = null;
  for (const [name, value] of Object.entries(document)) {
    const harmless: unknown = makeHarmless(value);
    if (harmless !== value) copy = { ...(copy ?? document), [name]: harmless };
  }
  return copy ?? document;
}

/** Says how much is missing. */
export function cutText(text: string, max: number = CHARS_MAX): string {
  return text.length <= max ? text : `${text.slice(0, max)} … ${text.length - max} more characters`;
}
