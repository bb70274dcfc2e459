import { CODES } from "../../base/codes.ts";
import type { Notification } from "../../records/notification.ts";
import type { Report } from "../../records/report.ts";
import type { SeriesSummary } from "../../records/series.ts";
import type { AskedChange } from "../../records/decisions.ts";
import { countNoun, shorten } from "../../base/words.ts";

const SUMMARY_CHARS = 300;
const MESSAGE_CHARS = 4000;

/** A question is more than a verdict: it waits for an answer. */
export function makeTickNotification(report: Report, repository: string): Notification {
  const { code, cause, message, verdict, question } = report;
  const asked = code === "STOP_QUESTION" ? question : null;
  const word = asked === null ? code : "question";
  return {
    version: 1,
    kind: asked === null ? "tick_ended" : "question",
    at: report.ended_at,
    repository,
    workflow: report.workflow,
    series_id: report.series_id,
    run_id: report.run_id,
    verdict,
    code,
    cause,
    end: null,
    summary: writeSummary(`relais: ${word}: ${asked?.prompt ?? nameTaskSubject(report)}`),
    message: message === null ? null : shorten(message, MESSAGE_CHARS),
    question: asked,
    exit_status: CODES[code].exit,
  };
}

export function makeSeriesNotification(summary: SeriesSummary, repository: string): Notification {
  const { end, message, ticks, last_code } = summary;
  return {
    version: 1,
    kind: "series_ended",
    at: summary.ended_at,
    repository,
    workflow: summary.workflow,
    series_id: summary.series_id,
    run_id: null,
    verdict: null,
    code: last_code,
    cause: summary.reason,
    end,
    summary: writeSummary(`relais: ${end} after ${ticks.total} ticks, ${ticks.success} of them green: ${message}`),
    message: shorten(message, MESSAGE_CHARS),
    question: null,
    exit_status: summary.exit_status,
  };
}

/** It may be shown in a shell prompt or a chat, so nothing in it moves the cursor or starts a line. */
function writeSummary(text: string): string {
  const oneLine = text.replaceAll(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, " ").trim();
  return shorten(oneLine, SUMMARY_CHARS);
}

const nameTaskSubject = ({ task, message }: Report): string => task?.intent ?? task?.task_id ?? message ?? "no task";

/** A change waits for a decision, and relais with it. */
export function makeQuestionNotification(
  { runId, intent, change, until, root }: AskedChange,
  { at, seriesId, workflow }: { readonly at: string; readonly seriesId: string; readonly workflow: Report["workflow"] },
): Notification {
  const prompt = `Keep this change of ${countNoun(change.files_touched, "file")}? ${intent ?? ""}`.trim();
  const { exit } = CODES.STOP_UNDECIDED;
  return {
    version: 1,
    kind: "question",
    at,
    repository: root,
    workflow,
    series_id: seriesId,
    run_id: runId,
    verdict: null,
    code: null,
    cause: "ask",
    end: null,
    summary: writeSummary(`relais: question: ${prompt}`),
    message: `It waits until ${until}.`,
    question: { prompt, choices: [`relais accept ${runId}`, `relais reject ${runId}`] },
    exit_status: exit,
  };
}
