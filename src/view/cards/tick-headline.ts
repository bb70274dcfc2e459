/** The headline of a tick: whether its change was kept, and if not, the reason. */
import { CODES, type Code } from "../../contract/values/codes.ts";
import type { Report } from "../../contract/documents/report.ts";
import { causeWords } from "../../core/words/cause-words.ts";
import { decisiveHeadline } from "../../core/words/decisive-words.ts";
import { shorten } from "../../core/words/shorten.ts";
import { oneLine } from "./report-words.ts";

const REASON_CHARS = 160;

/** Codes with a word of their own; the reason stands below the headline. */
const WORDS: Partial<Record<Code, string>> = {
  STOP_QUESTION: "Question",
  STOP_RATE_LIMITED: "Rate limited",
  STOP_NO_CHANGE: "No change",
  BLOCKED_ROLLBACK_FAILED: "Not reverted",
};

/** The result of a tick in a word or two. */
export function tickWord({ code, settle, blast_radius }: Report): string {
  const own = WORDS[code];
  if (own !== undefined) return own;
  if (code === "SUCCESS") return blast_radius.files_touched === 0 ? "No change" : "Kept";
  if (settle?.action === "rollback") return "Reverted";
  if (settle !== null) return "Failed";
  return CODES[code].verdict === "blocked" ? "Not started" : "Stopped";
}

/** The reason that belongs into the headline; null where the word says it all. */
export function headlineReason(report: Report): string | null {
  const { code, cause, verification } = report;
  if (code === "SUCCESS" || WORDS[code] !== undefined) return null;
  const reason =
    decisiveHeadline({ ...report, runs: verification.runs }) ??
    causeWords(code, cause).meaning.replace(/\.$/, "");
  return oneLine(shorten(reason, REASON_CHARS));
}
