/** How a job ended, from what its last command printed. */
import type { JobResult } from "./job.ts";
import { AnyCode } from "../../base/any-code.ts";
import { type Code, CODES } from "../../base/codes.ts";
import { isRecord } from "../../base/quantity.ts";
import { parseWith } from "../../base/schema-error.ts";
import { shorten } from "../../base/words.ts";

type Document = Readonly<Record<string, unknown>>;

export interface JobEnd {
  readonly status: number | null;
  readonly signal: string | null;
  readonly document: Document | null;
  /** The last lines of its log. */
  readonly log: readonly string[];
}

const SUMMARY_CHARS = 300;

/** The parts of a result that the last command decides. */
export function describeJobEnd(
  end: JobEnd,
  isCancelled: boolean,
): Pick<JobResult, "outcome" | "code" | "exit_status" | "summary"> {
  const code = findCode(end.document);
  const summary = writeLine(isCancelled ? "Cancelled by a person." : findSentence(end, code));
  const outcome = isCancelled ? "cancelled" : end.status === 0 ? "done" : "failed";
  return { outcome, code, exit_status: end.status, summary };
}

export function findCode(document: Document | null): Code | null {
  const parsed = parseWith(AnyCode, document?.["code"] ?? document?.["last_code"] ?? null);
  return parsed.kind === "valid" ? parsed.value : null;
}

/** A question comes first: it is what a person has to answer. */
function findSentence({ document, status, signal, log }: JobEnd, code: Code | null): string {
  const question = findQuestion(document);
  if (question !== null) return question;
  if (status === 0) return findText(document, ["message"]) ?? findIntent(document) ?? "Done.";
  const said =
    findText(document, ["message", "result"]) ?? findFinding(document) ?? (code === null ? null : CODES[code].meaning);
  if (said === null) return describeExit({ status, signal, log });
  return `${said}${findWayOn(document, code)}`;
}

/** The summary of a goal names the code as its reason only. */
function findWayOn(document: Document | null, code: Code | null): string {
  const red = "BLOCKED_BASELINE_RED";
  if (![code, document?.["reason"]].includes(red)) return "";
  return ` ${findText(document, ["hint"]) ?? CODES[red].remedy}`;
}

function describeExit({ status, signal, log }: Omit<JobEnd, "document">): string {
  if (signal !== null) return `The process of the job was ended by ${signal}.`;
  return log.at(-1) ?? `The command ended with the status ${status ?? "unknown"}.`;
}

function findIntent(document: Document | null): string | null {
  const task = document?.["task"];
  return isRecord(task) && typeof task["intent"] === "string" ? task["intent"] : null;
}

function findQuestion(document: Document | null): string | null {
  const question = document?.["question"];
  return isRecord(question) && typeof question["prompt"] === "string" ? `Question: ${question["prompt"]}` : null;
}

/** The first reason why a change was not kept. */
function findFinding(document: Document | null): string | null {
  const findings = document?.["findings"];
  const first: unknown = Array.isArray(findings) ? findings[0] : null;
  if (!isRecord(first) || typeof first["subject"] !== "string" || typeof first["rule"] !== "string") return null;
  return `${first["subject"]}: ${first["rule"]}`;
}

function findText(document: Document | null, names: readonly string[]): string | null {
  for (const name of names) {
    const text = document?.[name];
    if (typeof text === "string" && text.trim() !== "") return text;
  }
  return null;
}

/** It may be shown anywhere, so nothing in it moves the cursor or starts a line. */
export function writeLine(text: string): string {
  const oneLine = text.replaceAll(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, " ").trim();
  return shorten(oneLine === "" ? "-" : oneLine, SUMMARY_CHARS);
}
