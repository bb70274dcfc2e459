import { REPORT_LIMITS } from "./report.ts";
import { shorten } from "../base/words.ts";

/** Colours and cursor movements. */
// oxlint-disable-next-line no-control-regex -- These are the characters that are looked for.
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\\\)|[@-Z\\-_])/g;

/** The lines of a program's output, without colours and without what it printed over. */
export function splitOutput(output: string): readonly string[] {
  return output
    .replaceAll(SEQUENCES, "")
    .split(/\r?\n/)
    .map((line) => (line.split("\r").findLast((part) => part.trim() !== "") ?? "").trimEnd());
}

/** A closing bracket or a line of carets explains nothing. */
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
/** Node prints this below every uncaught error, and these numbers below every run of tests. */
const FOOTER =
  /^(?:Node\.js v\d+(?:\.\d+)*\S*|[#ℹ] (?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+)$/;

/** Without colours and empty lines. */
export function takeLastLines(output: string): string[] {
  return splitOutput(output)
    .filter((line) => SAYS_SOMETHING.test(line) && !FOOTER.test(line))
    .slice(-REPORT_LIMITS.lastLines)
    .map((line) => shorten(line, REPORT_LIMITS.lastLineChars));
}
