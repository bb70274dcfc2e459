/**
 * A film as an SVG that plays by itself: CSS only, no script, so that it plays inside an `img` too.
 *
 * Rows are only shown and hidden, never moved, which every browser does exactly. Readers who ask for less motion get
 * the last frame.
 */
import { createHash } from "node:crypto";
import type { Film, Take } from "./film.ts";
import { CELL, escaped, GROUND, number, ROW_STYLES, rowSvg } from "./row-svg.ts";

interface Labels {
  readonly title: string;
  readonly description: string;
}

const MARGIN = 18;
const BAR = 38;
const EDGE = "#3d444d";

export function filmSvg(film: Film, labels: Labels): string {
  const { columns, rows } = film.size;
  const box = { width: columns * CELL.width, height: rows * CELL.height };
  const intervals = named(
    film.takes.filter((take) => !isAlways(take)),
    intervalName,
  );
  const texts = named(film.takes, textName);
  return [
    ...opening(box, labels),
    `<style>${[...ROW_STYLES, ...playing(film), ...intervals.map((take) => rule(take, film)), REDUCED].join("\n")}</style>`,
    "<defs>",
    ...texts.map((take) => `<g id="${textName(take)}">${rowSvg(take.stretches)}</g>`),
    "</defs>",
    ...windowSvg(box),
    `<g transform="translate(${MARGIN} ${BAR})">`,
    ...film.takes.map(useSvg),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

const REDUCED = "@media (prefers-reduced-motion:reduce){*{animation:none!important}}";

/**
 * The first take of each name. Names come from what they stand for and not from a count, so that another recording
 * differs from this one only where something else was to be seen.
 */
function named(takes: readonly Take[], nameOf: (take: Take) => string): readonly Take[] {
  return [...new Map(takes.map((take) => [nameOf(take), take])).values()];
}

function textName({ stretches }: Take): string {
  return `r${createHash("sha256").update(rowSvg(stretches)).digest("hex").slice(0, 8)}`;
}

function isAlways({ fromMs, untilMs }: Take): boolean {
  return fromMs === 0 && untilMs === null;
}

function intervalName({ fromMs, untilMs }: Take): string {
  return `a${fromMs}-${untilMs ?? ""}`;
}

/** What is not in the last frame is hidden where nothing plays. */
function playing({ durationMs }: Film): readonly string[] {
  const times = `animation-duration:${number(durationMs / 1000)}s`;
  return [
    `use{${times};animation-timing-function:step-end;animation-iteration-count:infinite}`,
    ".o{visibility:hidden}",
  ];
}

/** One rule for all that comes and goes together. */
function rule(take: Take, { durationMs }: Film): string {
  const { fromMs, untilMs } = take;
  const at = (ms: number): string => `${number((ms / durationMs) * 100)}%`;
  const name = intervalName(take);
  const steps = [
    ...(fromMs === 0 ? ["0%{visibility:visible}"] : [`0%{visibility:hidden}${at(fromMs)}{visibility:visible}`]),
    ...(untilMs === null ? [] : [`${at(untilMs)}{visibility:hidden}`]),
  ];
  return `.${name}{animation-name:${name}}@keyframes ${name}{${steps.join("")}}`;
}

function useSvg(take: Take): string {
  const classes = [...(isAlways(take) ? [] : [intervalName(take)]), ...(take.untilMs === null ? [] : ["o"])];
  const dress = classes.length === 0 ? "" : ` class="${classes.join(" ")}"`;
  return `<use href="#${textName(take)}" y="${number(take.row * CELL.height)}"${dress}/>`;
}

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
function windowSvg({ width, height }: Box): readonly string[] {
  const [w, h] = [number(width + 2 * MARGIN - 1), number(height + BAR + MARGIN - 1)];
  const dots = [0, 1, 2].map((at) => `<circle cx="${22 + at * 18}" cy="19" r="5" fill="${EDGE}"/>`);
  return [`<rect x=".5" y=".5" width="${w}" height="${h}" rx="10" fill="${GROUND}" stroke="${EDGE}"/>`, ...dots];
}
