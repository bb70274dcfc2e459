/**
 * A record as text. Its last key is the beginning of a hash over the record before and this one: a reader knows
 * that no record in between was altered or lost, and need not check its shape again.
 */
import { createHash } from "node:crypto";
import * as v from "valibot";
import { QueueError } from "./pure/engine.ts";
import { QUEUE_VERSION, QueueRecord } from "./pure/queue-record.ts";
import { parseWith } from "../base/schema-error.ts";
import { InvariantError } from "../base/errors.ts";
import { isRecord } from "../base/quantity.ts";

const SUM = /,"sum":"(?<sum>[0-9a-f]{16})"\}$/;

/** Where the log stands: the number of the newest record, and its sum. */
export interface LogEnd {
  readonly seq: number;
  readonly sum: string;
}

/** Throws where nobody could read the record back. */
export function writeRecordText(record: QueueRecord, before: string): { readonly text: string; readonly sum: string } {
  const parsed = parseWith(QueueRecord, record);
  if (parsed.kind !== "valid")
    throw new InvariantError(`an event that no queue takes: ${parsed.problems[0]?.message ?? "unknown"}`);
  const body = JSON.stringify(parsed.value).slice(0, -1);
  const sum = sumOf(before, body);
  return { text: `${body},"sum":"${sum}"}`, sum };
}

/** The next record; null for a text that is none, or that came too late for its number. Throws where one is lost. */
export function readRecordText(
  text: string,
  { seq, sum }: LogEnd,
): { readonly record: QueueRecord; readonly sum: string } | null {
  const parsed = parseText(text);
  if (parsed === null || typeof parsed["seq"] !== "number" || parsed["seq"] <= seq) return null;
  if (parsed["v"] !== QUEUE_VERSION) throw newer(parsed["seq"]);
  if (parsed["seq"] !== seq + 1) throw damaged(seq + 1, "is missing");
  const own = readSum(text);
  if (own === null || own !== sumOf(sum, text.replace(SUM, "")))
    throw damaged(seq + 1, "or the one before was altered");
  return { record: v.parse(Trusted, parsed), sum: own };
}

export type SharedText =
  | { readonly kind: "record"; readonly record: QueueRecord; readonly sum: string }
  /** No record at all. */
  | { readonly kind: "nothing" }
  /** A record that does not follow the last one: it is forged, or the log is another one than this reader knows. */
  | { readonly kind: "stray" };

/**
 * The next message of a log that several people write to. Their relais may be another program, so everything is checked.
 * Only a record that follows the last one has an effect, and that is so for every reader.
 */
export function readSharedText(text: string, { seq, sum }: LogEnd): SharedText {
  const { sum: _sum, ...parsed } = parseText(text) ?? {};
  if (typeof parsed["v"] === "number" && parsed["v"] > QUEUE_VERSION) throw newer(seq + 1);
  const own = readSum(text);
  const record = v.safeParse(QueueRecord, parsed);
  if (own === null || !record.success || record.output.seq !== seq + 1) return { kind: "nothing" };
  if (own !== sumOf(sum, text.replace(SUM, ""))) return { kind: "stray" };
  return { kind: "record", record: record.output, sum: own };
}

const Trusted = v.custom<QueueRecord>(isRecord);

/** The sum that a record names. */
export function readSum(text: string): string | null {
  return SUM.exec(text)?.groups?.["sum"] ?? null;
}

function sumOf(before: string, body: string): string {
  return createHash("sha256").update(before).update(body).digest("hex").slice(0, 16);
}

function parseText(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function newer(seq: number): QueueError {
  return new QueueError("newer", `record ${seq} of the queue is from a newer relais: update this one`);
}

function damaged(seq: number, what: string): QueueError {
  return new QueueError("damaged", `record ${seq} of the queue ${what}: restore its folder, or move it away`);
}
