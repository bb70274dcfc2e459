/** The headline of a tick: whether its change was kept, and if not, the reason. */
import { CODES, type Code } from "../../contract/values/codes.ts";
import type { Report } from "../../contract/documents/report.ts";
import { describeCause } from "../../core/words/cause-words.ts";
import { findDecisiveHeadline } from "../../core/words/decisive-words.ts";
import { shorten } from "../../core/words/shorten.ts";
import { joinLines } from "./report-words.ts";

const REASON_CHARS = 160;

/** Codes with a word of their own; the reason stands below the headline. */
const WORDS: Partial<Record<Code, string>> = {
  STOP_QUESTION: "Question",
  STOP_RATE_LIMITED: "Rate limited",
  STOP_NO_CHANGE: "No change",
  BLOCKED_ROLLBACK_FAILED: "Not reverted",
};

export function renderTickWord({ code, settle, blast_radius }: Report): string {
  const own = WORDS[code];
  if (own !== undefined) return own;
  if (code === "SUCCESS") return blast_radius.files_touched === 0 ? "No change" : "Kept";
  if (settle?.action === "rollback") return "Reverted";
  if (settle !== null) return "Failed";
  return CODES[code].verdict === "blocked" ? "Not started" : "Stopped";
}

/** The reason that belongs into the headline; null where the word says it all. */
export function renderHeadlineReason(report: Report): string | null {
  const { code, cause, verification } = report;
  if (code === "SUCCESS" || WORDS[code] !== undefined) return null;
  const reason =
    findDecisiveHeadline({ ...report, runs: verification.runs }) ??
    describeCause(code, cause).meaning.replace(/\.$/, "");
  return joinLines(shorten(reason, REASON_CHARS));
}
