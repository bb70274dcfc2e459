import { eastAsianWidth } from "get-east-asian-width";

/**
 * How wide text is on a terminal.
 *
 * The live view asks for every line of every frame, so what is plain is not taken apart: the segmenter of the platform
 * costs milliseconds to make and a hundred times as much a line. Only where characters join to one sign, as in flags and
 * in emoji of several people, is it asked where a sign ends.
 */

const PLAIN = /^[ -~]*$/;
/** What joins signs: a joiner, a variation, a keycap, half a flag, a skin colour, a tag; and parts of Hangul syllables. */
const JOINING =
  /\u200d|\ufe0f|\u20e3|\p{Regional_Indicator}|\p{Emoji_Modifier}|[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb\u{e0020}-\u{e007f}]/u;
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]$/u;
const PICTURES = /\p{Extended_Pictographic}/gu;
const KEYCAP = /^[\d#*]\u20e3$/;
/** The first, the middle and the last part of a Hangul syllable, which are drawn as one. */
const SYLLABLE = /([\u1100-\u115f\ua960-\ua97c])[\u1160-\u11a7\ud7b0-\ud7c6][\u11a8-\u11ff\ud7cb-\ud7fb]?/gu;
const SYLLABLE_PART = /^[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/u;
/** What takes a place of its own behind the sign that it belongs to. */
const BESIDE = /^[\p{Mc}\uff00-\uffef]$/u;

export function measureDisplayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const cluster of splitClusters(text)) width += measureCluster(cluster);
  return width;
}

interface Platform {
  readonly segmenter: Intl.Segmenter;
  readonly emoji: RegExp;
}

let platform: Platform | null = null;

/** Made when the first text needs it. */
function getPlatform(): Platform {
  platform ??= { segmenter: new Intl.Segmenter(), emoji: new RegExp(String.raw`^\p{RGI_Emoji}$`, "v") };
  return platform;
}

/** The signs of a text, none of which may be cut. */
export function splitClusters(text: string): Iterable<string> {
  if (!JOINING.test(text)) return text;
  return Array.from(getPlatform().segmenter.segment(text), ({ segment }) => segment);
}

function measureCluster(cluster: string): number {
  const codePoint = cluster.codePointAt(0) ?? 0;
  const isSingle = cluster.length === (codePoint > 0xffff ? 2 : 1);
  if (isSingle) return isPlain(codePoint) ? 1 : INVISIBLE.test(cluster) ? 0 : eastAsianWidth(codePoint);
  return isPicture(cluster) ? 2 : measureJoined(cluster);
}

const isPlain = (codePoint: number): boolean => codePoint >= 0x20 && codePoint < 0x7f;

function measureJoined(cluster: string): number {
  const isHangul = SYLLABLE_PART.test(cluster);
  let width = 0;
  for (const character of isHangul ? cluster.replaceAll(SYLLABLE, "$1") : cluster) {
    if (INVISIBLE.test(character)) continue;
    if (width === 0 || isHangul || BESIDE.test(character)) width += eastAsianWidth(character.codePointAt(0) ?? 0);
  }
  return width;
}

/** Several characters that are drawn as one picture. */
function isPicture(cluster: string): boolean {
  if (getPlatform().emoji.test(cluster) || KEYCAP.test(cluster)) return true;
  return cluster.includes("\u200d") && (cluster.match(PICTURES) ?? []).length > 1;
}

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
