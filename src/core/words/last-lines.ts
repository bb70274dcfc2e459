import { REPORT_LIMITS } from "../../contract/documents/report.ts";
import { shorten } from "./shorten.ts";

/** Colours and movements of a terminal: what a program prints to look well, and what nobody wants to read. */
// oxlint-disable-next-line no-control-regex -- These are the characters that are looked for.
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\\\)|[@-Z\\-_])/g;

/** Letters or digits: a closing bracket or a line of carets explains nothing to somebody who sees only a few lines. */
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
/** What Node prints below every error that nobody caught, and so the last line of many a red check. */
const FOOTER = /^Node\.js v\d+(?:\.\d+)*\S*$/;

/** The end of what a program printed: its last lines that say something, without colours, each as long as a line is. */
export function takeLastLines(output: string): string[] {
  return output
    .replaceAll(SEQUENCES, "")
    .split(/\r?\n/)
    .map((line) => (line.split("\r").findLast((part) => part.trim() !== "") ?? "").trimEnd())
    .filter((line) => SAYS_SOMETHING.test(line) && !FOOTER.test(line))
    .slice(-REPORT_LIMITS.lastLines)
    .map((line) => shorten(line, REPORT_LIMITS.lastLineChars));
}
