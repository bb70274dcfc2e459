import { measureDisplayWidth, splitClusters } from "./display-width.ts";

/** Fills up to a width with spaces, by what is seen rather than by the number of characters. */
export function padText(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - measureDisplayWidth(text)));
}

/** A space, but not the one between a number and the unit of a duration: they are read as one. */
const BREAK = / (?!(?<=\d )(?:ms|s|min|h)(?!\w))/;

/** Breaks text into lines between words, and inside a word only where it is longer than a line. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(BREAK)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (measureDisplayWidth(longer) <= width) {
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
  while (measureDisplayWidth(left) > width) {
    const { head, tail } = splitAt(left, Math.max(2, width));
    pieces.push(head);
    left = tail;
  }
  return [...pieces, left];
}

function splitAt(text: string, width: number): { readonly head: string; readonly tail: string } {
  let head = "";
  let used = 0;
  for (const cluster of splitClusters(text)) {
    used += measureDisplayWidth(cluster);
    if (used > width) break;
    head += cluster;
  }
  return { head, tail: text.slice(head.length) };
}
