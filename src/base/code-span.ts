/**
 * Untrusted text as Markdown.
 *
 * Escaping with backslashes is not enough: a renderer still links addresses and mentions people after it has removed
 * them. Inside a code span nothing is interpreted at all, so everything that is not ours goes into one. What could end
 * the span, and what a careless renderer could take for HTML, is shown as `\u{..}`, like everything else that is taken
 * out of untrusted text.
 */
import { shorten } from "./words.ts";
import { neutralise } from "./style.ts";

const NAME_CHARS = 400;
/** Long enough for a question: what a person has to answer is not cut. */
const PROSE_CHARS = 2000;

/** A name, exactly as it is but for what is dangerous. */
export function renderCodeSpan(text: string): string {
  return makeSpan(neutralise(text).replaceAll("`", "\\u{60}"), NAME_CHARS);
}

/** A sentence; the backticks that it quotes with become apostrophes. */
export function renderProseSpan(text: string): string {
  return makeSpan(neutralise(text).replaceAll("`", "'"), PROSE_CHARS);
}

/** Several lines, as a quotation in which every line is a span of its own. */
export function renderQuotedSpans(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .map((line, index, lines) => `> ${renderProseSpan(line)}${index === lines.length - 1 ? "" : "\\"}`);
}

function makeSpan(harmless: string, max: number): string {
  const shown = shorten(harmless.replaceAll("<", "\\u{3c}"), max);
  return shown.trim() === "" ? "(empty)" : `\`${shown}\``;
}
