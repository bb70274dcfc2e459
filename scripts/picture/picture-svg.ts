/**
 * A film as an SVG that plays by itself: CSS only, no script, so that it plays inside an `img` too.
 *
 * Every stretch of text has its place and its length given, so another font changes how the letters look and nothing
 * else. Whoever asks for less motion gets the last frame.
 */
import type { Film, Take } from "./film.ts";
import type { Look, Stretch } from "./screen-frames.ts";

interface Labels {
  readonly title: string;
  readonly description: string;
}

const CELL = { width: 8.4, height: 19 } as const;
const FONT_PX = 14;
const MARGIN = 18;
const BAR = 38;

/** The sixteen colours of a terminal on a dark ground, light enough to be read there. */
const PALETTE = [
  ...["#545d68", "#f47067", "#57ab5a", "#daaa3f", "#539bf5", "#b083f0", "#39c5cf", "#909dab"],
  ...["#636e7b", "#ff938a", "#6bc46d", "#eac55f", "#6cb6ff", "#dcbdfb", "#56d4dd", "#cdd9e5"],
] as const;
const TEXT = "#d5dde6";
const STRONG = "#f5f8fb";
const GROUND = "#161b22";

const BASE = [
  `text{font:${FONT_PX}px ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre;fill:${TEXT}}`,
  ".b{font-weight:600}",
  `.s{fill:${STRONG};font-weight:600}`,
  ".d{opacity:.62}",
  `.i{fill:${GROUND}}`,
  ".o{visibility:hidden}",
];

export function filmSvg(film: Film, labels: Labels): string {
  const { columns, rows } = film.size;
  const [width, height] = [columns * CELL.width, rows * CELL.height];
  const styles = new Map<string, string>();
  const takes = film.takes.map((take) => takeSvg(take, film, styles));
  const still = film.camera.at(-1)?.row ?? 0;
  return [
    ...opening({ width, height }, labels),
    `<style>${[...BASE, ...colourRules(film), ...cameraRules(film), ...styles.values(), REDUCED].join("\n")}</style>`,
    ...frameOf({ width, height }),
    `<svg x="${MARGIN}" y="${BAR}" width="${number(width)}" height="${number(height)}">`,
    `<g class="c" style="transform:translateY(${number(-still * CELL.height)}px)">`,
    ...takes,
    "</g>",
    "</svg>",
    "</svg>",
    "",
  ].join("\n");
}

const REDUCED = "@media (prefers-reduced-motion:reduce){*{animation:none!important}}";

interface Box {
  readonly width: number;
  readonly height: number;
}

function opening({ width, height }: Box, { title, description }: Labels): readonly string[] {
  const [w, h] = [number(width + 2 * MARGIN), number(height + BAR + MARGIN)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="desc">${escaped(description)}</desc>`,
  ];
}

/** A window that brings its own ground, so that it can stand on a light page and on a dark one. */
function frameOf({ width, height }: Box): readonly string[] {
  const [w, h] = [width + 2 * MARGIN, height + BAR + MARGIN];
  const dots = [0, 1, 2].map((at) => `<circle cx="${22 + at * 18}" cy="19" r="5" fill="#3d444d"/>`);
  return [
    `<rect x=".5" y=".5" width="${number(w - 1)}" height="${number(h - 1)}" rx="10" fill="${GROUND}" stroke="#3d444d"/>`,
    ...dots,
  ];
}

function colourRules({ takes }: Film): readonly string[] {
  const used = new Set(takes.flatMap(({ stretches }) => stretches.flatMap(({ look }) => look.colour ?? [])));
  return [...used].toSorted((one, other) => one - other).map((at) => `.k${at}{fill:${PALETTE[at] ?? TEXT}}`);
}

function cameraRules({ camera, durationMs }: Film): readonly string[] {
  if (camera.length < 2) return [];
  const moves = camera.map(({ atMs, row }, index) => {
    const at = index === 0 ? "0" : percent(atMs, durationMs);
    return `${at}%{transform:translateY(${number(-row * CELL.height)}px)}`;
  });
  return [
    `.c{animation:c ${number(durationMs / 1000)}s step-end infinite}`,
    `@keyframes c{${moves.join("")}}`,
  ];
}

function takeSvg(take: Take, { durationMs }: Film, styles: Map<string, string>): string {
  const { fromMs, untilMs, row, stretches } = take;
  const isAlways = fromMs === 0 && untilMs === null;
  const name = isAlways ? null : styleName({ fromMs, untilMs, durationMs }, styles);
  const classes = [...(name === null ? [] : [name]), ...(untilMs === null ? [] : ["o"])];
  const drawn = stretches.map((stretch) => stretchSvg(stretch, row)).join("");
  return classes.length === 0 ? drawn : `<g class="${classes.join(" ")}">${drawn}</g>`;
}

interface Interval {
  readonly fromMs: number;
  readonly untilMs: number | null;
  readonly durationMs: number;
}

/** One rule for all that comes and goes together. */
function styleName({ fromMs, untilMs, durationMs }: Interval, styles: Map<string, string>): string {
  const key = `${fromMs}-${untilMs ?? ""}`;
  const known = [...styles.keys()].indexOf(key);
  const name = `a${known === -1 ? styles.size : known}`;
  if (known !== -1) return name;
  const steps = [
    ...(fromMs === 0
      ? ["0%{visibility:visible}"]
      : ["0%{visibility:hidden}", `${percent(fromMs, durationMs)}%{visibility:visible}`]),
    ...(untilMs === null ? [] : [`${percent(untilMs, durationMs)}%{visibility:hidden}`]),
  ];
  const seconds = number(durationMs / 1000);
  styles.set(
    key,
    `.${name}{animation:${name} ${seconds}s step-end infinite}@keyframes ${name}{${steps.join("")}}`,
  );
  return name;
}

/** How much of a cell a block character fills, and how strongly: fonts disagree, so they are drawn. */
const BLOCKS: Readonly<Record<string, number>> = { "█": 1, "▓": 0.75, "▒": 0.5, "░": 0.22 };

function stretchSvg(stretch: Stretch, row: number): string {
  return /[█▓▒░]/u.test(stretch.text) ? barSvg(stretch, row) : textSvg(stretch, row);
}

function textSvg({ column, width, text, look }: Stretch, row: number): string {
  const [x, y] = [number(column * CELL.width), number(row * CELL.height + 14)];
  const length = number(width * CELL.width);
  const fit = width > 1 ? ` textLength="${length}" lengthAdjust="spacingAndGlyphs"` : "";
  const classes = classesOf(look);
  const ground = look.isInverse ? rectSvg({ column, width, fill: TEXT, opacity: 1 }, row) : "";
  return `${ground}<text x="${x}" y="${y}"${fit}${classes === "" ? "" : ` class="${classes}"`}>${escaped(text)}</text>`;
}

/** A bar: neighbours of one kind are one rectangle, and what stands between them is text. */
function barSvg({ column, text, look }: Stretch, row: number): string {
  const fill = look.colour === null ? TEXT : (PALETTE[look.colour] ?? TEXT);
  return [...text.matchAll(/(?<block>[█▓▒░])\k<block>*|[^█▓▒░]+/gu)]
    .map((match) => {
      const [part] = match;
      const opacity = BLOCKS[part.slice(0, 1)];
      const at = column + match.index;
      if (opacity !== undefined) return rectSvg({ column: at, width: part.length, fill, opacity }, row);
      const words = part.trim();
      const from = at + part.length - part.trimStart().length;
      return words === "" ? "" : textSvg({ column: from, width: words.length, text: words, look }, row);
    })
    .join("");
}

interface Patch {
  readonly column: number;
  readonly width: number;
  readonly fill: string;
  readonly opacity: number;
}

function rectSvg({ column, width, fill, opacity }: Patch, row: number): string {
  const [x, y, w] = [column * CELL.width, row * CELL.height + 3, width * CELL.width].map((value) =>
    number(value),
  );
  return `<rect x="${x}" y="${y}" width="${w}" height="13" fill="${fill}"${opacity === 1 ? "" : ` opacity="${opacity}"`}/>`;
}

function classesOf({ colour, isBold, isFaint, isInverse }: Look): string {
  if (isInverse) return "i";
  return [
    ...(colour === null ? (isBold ? ["s"] : []) : [`k${colour}`, ...(isBold ? ["b"] : [])]),
    ...(isFaint ? ["d"] : []),
  ].join(" ");
}

function percent(ms: number, whole: number): string {
  return number((ms / whole) * 100, 3);
}

function number(value: number, digits = 2): string {
  return String(Number(value.toFixed(digits)));
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
