/** Small tools that the readers of several runners share. */
import type { TestCounts } from "../../records/test-report.ts";

/** The groups of a match by their number; empty if there is no match. */
export function matchParts(pattern: RegExp, line: string): (group: number) => string {
  const match = pattern.exec(line);
  return (group) => match?.[group] ?? "";
}

/** The numbers of a text such as `2 passed | 1 skipped` or `failures=3, errors=1`, by their words. */
export function readNumbers(text: string): (word: string) => number {
  const found = new Map<string, number>();
  for (const part of text.split(/[,;|()]/)) {
    const before = matchParts(/^\s*(\d{1,9}) ([a-z ]{1,40})/, part);
    const behind = matchParts(/^\s*([a-z ]{1,40})=(\d{1,9})/, part);
    const word = (before(2) + behind(1)).trim();
    if (word !== "") found.set(word, Number(before(1) + behind(2)));
  }
  return (word) => found.get(word) ?? 0;
}

/** Of the words that vitest and jest use. */
export function readCounts(number: (word: string) => number): TestCounts {
  const skipped = number("skipped") + number("expected fail");
  return { passed: number("passed"), failed: number("failed"), skipped, todo: number("todo") };
}

/** The groups around a test in an indented list, from the outside in. */
export class OpenGroups {
  readonly #groups: { readonly name: string; readonly depth: number }[] = [];

  /** Groups at this depth and deeper are over. */
  leave(depth: number): void {
    while ((this.#groups.at(-1)?.depth ?? -1) >= depth) this.#groups.pop();
  }

  enter(name: string, depth: number): void {
    this.leave(depth);
    if (this.#groups.length < 20) this.#groups.push({ name: name.trim().slice(0, 100), depth });
  }

  /** Whether a group with this name is open at this depth. */
  isOpen(name: string, depth: number): boolean {
    this.leave(depth + 1);
    const last = this.#groups.at(-1);
    return last?.depth === depth && last.name === name.trim().slice(0, 100);
  }

  get isEmpty(): boolean {
    return this.#groups.length === 0;
  }

  clear(): void {
    this.#groups.length = 0;
  }

  join(...names: readonly string[]): string {
    const [last = "", ...first] = names.toReversed();
    return [...first.toReversed(), ...this.#groups.map(({ name }) => name), last].join(" > ");
  }
}

export const countIndent = (line: string): number => line.length - line.trimStart().length;
