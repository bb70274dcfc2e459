/**
 * A record as text. Its last key is the beginning of a hash over the record before and this one: a reader knows
 * that no record in between was altered or lost, and need not check its shape again.
 */
import { createHash } from "node:crypto";
import * as v from "valibot";
import { QueueError } from "../../contract/queue/queue-error.ts";
import { QUEUE_VERSION, QueueRecord } from "../../contract/queue/queue-record.ts";
import { parseWith } from "../../contract/schema/schema-error.ts";
import { InvariantError } from "../../contract/values/invariant.ts";
import { isRecord } from "../../contract/values/is-record.ts";

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
  if (parsed["v"] !== QUEUE_VERSION)
    throw new QueueError("newer", `record ${parsed["seq"]} of the queue is from a newer relais: update this one`);
  if (parsed["seq"] !== seq + 1) throw damaged(seq + 1, "is missing");
  const own = SUM.exec(text)?.groups?.["sum"];
  if (own === undefined || own !== sumOf(sum, text.replace(SUM, "")))
    throw damaged(seq + 1, "or the one before was altered");
  return { record: v.parse(Trusted, parsed), sum: own };
}

const Trusted = v.custom<QueueRecord>(isRecord);

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

function damaged(seq: number, what: string): QueueError {
  return new QueueError("damaged", `record ${seq} of the queue ${what}: restore its folder, or move it away`);
}
