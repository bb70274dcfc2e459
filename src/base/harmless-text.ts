/**
 * Invisible characters, and characters that change the text around them: controls, formatting characters (bidirectional
 * and zero-width ones, tags), and halves of a surrogate pair. Line ends and tabs are harmless.
 */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Shows every character: a hidden one becomes `\u{..}`. */
export function neutraliseText(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

const SPACE = " \t\n\r";

/**
 * Removes spaces, tabs and line ends at both ends, and no other white space, which may end a name. Without a pattern,
 * because that would take quadratic time on a megabyte of spaces.
 */
export function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && SPACE.includes(text.charAt(start))) start += 1;
  while (end > start && SPACE.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** A fence that nothing in the text can end. */
export function makeFence(text: string): string {
  const longest = [...text.matchAll(/`+/gu)].reduce((length, [run]) => Math.max(length, run.length), 2);
  return "`".repeat(longest + 1);
}
