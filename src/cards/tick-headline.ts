/** The headline of a tick: whether its change was kept, and if not, the reason. */
import { CODES, type Code } from "../base/codes.ts";
import type { Report } from "../records/report.ts";
import { findOpenTurnOfReport } from "../tick/pure/turns.ts";
import { describeCause } from "../tick/pure/cause-words.ts";
import { findDecisiveHeadline } from "../tick/pure/decisive-words.ts";
import { shorten } from "../base/words.ts";
import { formatLocalMoment } from "../base/duration-text.ts";
import { describeSize, isHeldReport, isUnbuilt, isUnchecked, joinLines } from "./report-words.ts";

const REASON_CHARS = 160;

/** Codes with a word of their own; the reason stands below the headline. */
const WORDS: Partial<Record<Code, string>> = {
  STOP_QUESTION: "Question",
  STOP_RATE_LIMITED: "Waiting",
  STOP_NO_CHANGE: "No change",
  BLOCKED_ROLLBACK_FAILED: "Not reverted",
};

export function renderTickWord(report: Report): string {
  const { code } = report;
  const own = findOpenTurnOfReport(report) ?? describeWait(report) ?? WORDS[code];
  if (own !== undefined) return own;
  return code === "SUCCESS" ? describeSuccess(report) : describeFailure(report);
}

function describeFailure(report: Report): string {
  const { code, settle } = report;
  if (isHeldReport(report)) return "Held";
  if (isUnbuilt(report)) return "Not started";
  if (settle?.action === "rollback") return isWithoutWork(report) ? "Stopped" : "Reverted";
  if (settle !== null) return "Failed";
  return CODES[code].verdict === "blocked" ? "Not started" : "Stopped";
}

function describeWait({ code, retry_at, ended_at }: Report): string | null {
  if (code !== "STOP_RATE_LIMITED" || retry_at === undefined) return null;
  return `Waiting until ${formatLocalMoment(retry_at, ended_at)}`;
}

function describeSuccess(report: Report): string {
  if (report.blast_radius.files_touched === 0) return "No change";
  return isUnchecked(report) ? "Kept, unchecked" : "Kept";
}

/** Whether there was no task yet, or it was measured that nothing changed. */
function isWithoutWork(report: Report): boolean {
  return report.task === null || (report.blast_radius.files_touched === 0 && describeSize(report) !== null);
}

/** The reason that belongs into the headline; null where the word says it all. */
export function renderHeadlineReason(report: Report): string | null {
  const { code, cause, verification } = report;
  if (code === "STOP_QUESTION" && cause !== null) return describeCause(code, cause).meaning.replace(/\.$/, "");
  if (code === "SUCCESS" || WORDS[code] !== undefined || findOpenTurnOfReport(report) !== null) return null;
  const reason =
    findDecisiveHeadline({ ...report, runs: verification.runs }) ??
    describeCause(code, cause).meaning.replace(/\.$/, "");
  return joinLines(shorten(reason, REASON_CHARS));
}
