/** Characters that take no place of their own, and those that take two. */
const JOINED = /^\p{M}$/u;
const WIDE =
  /^(?:\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Emoji_Presentation}|[\u3000-\u303f\u3100-\u33ff\u4dc0-\u4dff\ua000-\ua4cf\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}])$/u;

/** How many columns of a terminal the text takes. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

function characterWidth(character: string): number {
  if (JOINED.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Fills up to a width with spaces, by what is seen rather than by the number of characters. */
export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

/** A space, but not the one between a number and the unit of a duration: they are read as one. */
const BREAK = / (?!(?<=\d )(?:ms|s|min|h)(?!\w))/;

/** Breaks text into lines between words, and inside a word only where it is longer than a line. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(BREAK)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (displayWidth(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    const pieces = breakWord(word, width);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? "";
  }
  return [...lines, line];
}

function breakWord(word: string, width: number): readonly string[] {
  const pieces: string[] = [];
  let left = word;
  while (displayWidth(left) > width) {
    const { head, tail } = splitAt(left, Math.max(2, width));
    pieces.push(head);
    left = tail;
  }
  return [...pieces, left];
}

function splitAt(text: string, width: number): { readonly head: string; readonly tail: string } {
  let head = "";
  let used = 0;
  for (const character of text) {
    used += characterWidth(character);
    if (used > width) break;
    head += character;
  }
  return { head, tail: text.slice(head.length) };
}
