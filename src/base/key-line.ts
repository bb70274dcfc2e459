import { measureDisplayWidth } from "./wrap-text.ts";
import type { Style } from "./style.ts";

/** A key and what it does. */
export type KeyHint = readonly [key: string, meaning: string];

/** The keys that can be pressed, in one line. */
export function renderKeyLine(hints: readonly KeyHint[], style: Style, columns: number): string {
  const kept = fitKeyHints(hints, columns);
  return kept.map(([key, meaning]) => `${style("strong", key)} ${style("faint", meaning)}`).join(style("faint", " · "));
}

/** Those that fit beside each other; the last ones are left out. */
export function fitKeyHints(hints: readonly KeyHint[], columns: number): readonly KeyHint[] {
  return hints.filter((_, index) => measureHints(hints.slice(0, index + 1)) <= columns);
}

function measureHints(hints: readonly KeyHint[]): number {
  return measureDisplayWidth(hints.map((hint) => hint.join(" ")).join(" · "));
}
