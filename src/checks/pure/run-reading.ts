import type { NamesKnown, TestCounts, TestResult } from "../../records/test-report.ts";

/** What one run of one test runner printed, as far as its reader understands it. */

/** The output of a check without colours. */
export interface RunnerOutput {
  /** Cut to `LINE_MAX` characters. `CUT` stands where a part of the output is missing. */
  readonly lines: readonly string[];
  /** Uncut, for the formats in which one line can hold everything. */
  readonly longLines: readonly string[];
}

export type RunnerReader = (output: RunnerOutput) => readonly RunReading[];

export interface RunReading {
  readonly runner: string;
  readonly counts: TestCounts;
  readonly tests: readonly TestResult[];
  readonly namesKnown: NamesKnown;
  readonly isComplete: boolean;
  readonly isListed: boolean;
  readonly silentFiles: readonly string[];
  /** True if the lines could be of another program. Such a reading counts only if no other runner is found. */
  readonly isWeak: boolean;
}

/** No program prints this line: `splitOutput` never leaves a line break inside. */
export const CUT = "\n";
export const LINE_MAX = 600;
export const NO_COUNTS: TestCounts = { passed: 0, failed: 0, skipped: 0, todo: 0 };

export const sumCounts = ({ passed, failed, skipped, todo }: TestCounts): number => passed + failed + skipped + todo;

export function addCounts(left: TestCounts, right: TestCounts): TestCounts {
  return {
    passed: left.passed + right.passed,
    failed: left.failed + right.failed,
    skipped: left.skipped + right.skipped,
    todo: left.todo + right.todo,
  };
}

interface Ending {
  readonly counts: TestCounts;
  readonly namesKnown: NamesKnown;
  readonly isComplete: boolean;
  readonly isListed?: boolean;
  readonly isWeak?: boolean;
  readonly silentFiles?: readonly string[];
}

/** Collects the tests of one run until its end, or the end of the output. */
export class OpenRun {
  readonly tests: TestResult[] = [];
  readonly silentFiles: string[] = [];
  /** A part of the output is missing in this run. */
  isCut = false;
  readonly runner: string;

  constructor(runner: string) {
    this.runner = runner;
  }

  add(name: string, state: TestResult["state"]): void {
    this.tests.push({ name, state });
  }

  /** Whether the listed number agrees with the number of the summary. */
  agrees(listed: number, counted: number): boolean {
    return listed === counted || (this.isCut && listed <= counted);
  }

  /** The names are known if every counted test was listed. */
  knowsNames(counted: number): NamesKnown {
    if (this.tests.length === 0) return counted === 0 ? "all" : "none";
    return this.tests.length >= counted ? "all" : "some";
  }

  countListed(): TestCounts {
    const counts = { ...NO_COUNTS };
    for (const { state } of this.tests) counts[state] += 1;
    return counts;
  }

  end(ending: Ending): RunReading {
    return {
      isListed: true,
      isWeak: false,
      silentFiles: this.silentFiles,
      ...ending,
      runner: this.runner,
      tests: this.tests,
    };
  }

  /** The runner did not report its end. */
  interrupt(isWeak = false): RunReading {
    return this.end({ counts: this.countListed(), namesKnown: "some", isComplete: false, isWeak });
  }
}

/** A test file that node:test reports like a test: it ended without any test inside. */
export const isFileName = (name: string): boolean => /^\S{1,280}\.[cm]?[jt]sx?$/.test(name);

/** Small tools that the readers of several runners share. */

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

/** Runners of several packages print the name of the package before each line, in any order. */

const PREFIXES: readonly RegExp[] = [
  // pnpm: `packages/a test: …`
  /^(\S{1,120} [\w:.-]{1,60}): ?(.*)$/,
  // turbo: `a:test: …`
  /^(\S{1,120}:[\w.-]{1,60}): ?(.*)$/,
  // yarn and concurrently: `[a]: …`, `[0] …`
  /^(\[[^\]\s]{1,120}\]):? ?(.*)$/,
];
/** Text before a colon can look like many packages. */
const PACKAGES_MAX = 1000;

/** The lines of each package, without their prefix: one entry for each way to read prefixes. */
export function splitPrefixed(lines: readonly string[]): readonly (readonly (readonly string[])[])[] {
  return PREFIXES.map((prefix) => {
    const packages = new Map<string, string[]>();
    for (const line of lines) {
      const [, name, rest = ""] = prefix.exec(line) ?? [];
      if (name === undefined) continue;
      const own = packages.get(name);
      if (own !== undefined) own.push(rest);
      else if (packages.size < PACKAGES_MAX) packages.set(name, [rest]);
    }
    return [...packages.values()];
  });
}
