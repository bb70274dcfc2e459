/** What one run of one test runner printed, as far as its reader understands it. */
import type { NamesKnown, TestCounts, TestResult } from "../../records/test-report.ts";

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
