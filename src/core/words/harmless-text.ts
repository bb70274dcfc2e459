/**
 * Characters that a reader does not see or that change what stands around them: controls, formatting characters
 * (bidirectional and zero-width ones, tags), and halves of a surrogate pair. Lines and tabs are what text is made of.
 */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Makes text of several lines show everything that it holds; what was hidden is shown as `\u{..}`. */
export function neutraliseText(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
