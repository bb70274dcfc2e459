/**
 * One row of a terminal as SVG.
 *
 * Every stretch of text has its place and its length given, so another font changes how the letters look and nothing
 * else.
 */
import type { Look, Stretch } from "./screen-frames.ts";

export const CELL = { width: 8.4, height: 19 } as const;
export const GROUND = "#161b22";

const FONT_PX = 14;
const BASELINE = 14;

/** The sixteen colours of a terminal on a dark ground, light enough to be read there. */
const PALETTE =
  "#545d68 #f47067 #57ab5a #daaa3f #539bf5 #b083f0 #39c5cf #909dab #636e7b #ff938a #6bc46d #eac55f #6cb6ff #dcbdfb #56d4dd #cdd9e5".split(
    " ",
  );
const TEXT = "#d5dde6";
const STRONG = "#f5f8fb";

/** How the rows look; the colours are those of a terminal by their numbers. */
export const ROW_STYLES: readonly string[] = [
  `text{font:${FONT_PX}px ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre;fill:${TEXT}}`,
  ".b{font-weight:600}",
  `.s{fill:${STRONG};font-weight:600}`,
  ".d{opacity:.62}",
  `.i{fill:${GROUND}}`,
  ...PALETTE.map((colour, at) => `.k${at}{fill:${colour}}`),
];

export function rowSvg(stretches: readonly Stretch[]): string {
  return stretches.map((stretch) => (/[█▓▒░]/u.test(stretch.text) ? barSvg(stretch) : textSvg(stretch))).join("");
}

function textSvg({ column, width, text, look }: Stretch): string {
  const length = number(width * CELL.width);
  const fit = width > 1 ? ` textLength="${length}" lengthAdjust="spacingAndGlyphs"` : "";
  const classes = classesOf(look);
  const dress = classes === "" ? "" : ` class="${classes}"`;
  const ground = look.isInverse ? rectSvg({ column, width, fill: TEXT, opacity: 1 }) : "";
  return `${ground}<text x="${number(column * CELL.width)}" y="${BASELINE}"${fit}${dress}>${escaped(text)}</text>`;
}

/** How strongly a block character fills its cell: fonts disagree about them, so they are drawn. */
const BLOCKS: Readonly<Record<string, number>> = { "█": 1, "▓": 0.75, "▒": 0.5, "░": 0.22 };

/** A bar: neighbours of one kind are one rectangle, and what stands between them is text. */
function barSvg({ column, text, look }: Stretch): string {
  const fill = look.colour === null ? TEXT : (PALETTE[look.colour] ?? TEXT);
  return [...text.matchAll(/(?<block>[█▓▒░])\k<block>*|[^█▓▒░]+/gu)]
    .map((match) => {
      const [part] = match;
      const opacity = BLOCKS[part.slice(0, 1)];
      const at = column + match.index;
      if (opacity !== undefined) return rectSvg({ column: at, width: part.length, fill, opacity });
      const words = part.trim();
      const from = at + part.length - part.trimStart().length;
      return words === "" ? "" : textSvg({ column: from, width: words.length, text: words, look });
    })
    .join("");
}

interface Patch {
  readonly column: number;
  readonly width: number;
  readonly fill: string;
  readonly opacity: number;
}

function rectSvg({ column, width, fill, opacity }: Patch): string {
  const [x, w] = [number(column * CELL.width), number(width * CELL.width)];
  const strength = opacity === 1 ? "" : ` opacity="${opacity}"`;
  return `<rect x="${x}" y="3" width="${w}" height="13" fill="${fill}"${strength}/>`;
}

function classesOf({ colour, isBold, isFaint, isInverse }: Look): string {
  if (isInverse) return "i";
  const plain = isBold ? ["s"] : [];
  const coloured = [`k${colour ?? ""}`, ...(isBold ? ["b"] : [])];
  return [...(colour === null ? plain : coloured), ...(isFaint ? ["d"] : [])].join(" ");
}

/** A number as short as it can be written. */
export function number(value: number): string {
  return String(Number(value.toFixed(2)));
}

export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
