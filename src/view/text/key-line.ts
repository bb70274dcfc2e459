import { measureDisplayWidth } from "./display-width.ts";
import type { Style } from "./style.ts";

/** A key and what it does. */
export type KeyHint = readonly [key: string, meaning: string];

/** The keys that can be pressed, in one line; the last ones are left out where there is no room. */
export function renderKeyLine(hints: readonly KeyHint[], style: Style, columns: number): string {
  const kept = hints.filter((_, index) => measureHints(hints.slice(0, index + 1)) <= columns);
  return kept.map(([key, meaning]) => `${style("strong", key)} ${style("faint", meaning)}`).join(style("faint", " · "));
}

function measureHints(hints: readonly KeyHint[]): number {
  return measureDisplayWidth(hints.map((hint) => hint.join(" ")).join(" · "));
}
