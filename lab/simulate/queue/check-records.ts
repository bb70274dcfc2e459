/** What must be true of the records of a queue, by a small fold that shares nothing with the queue's own. */
import type { QueueEvent, QueueRecord } from "../../../src/queue/pure/queue-record.ts";
import { Violation } from "../violation.ts";
import type { Promised } from "./queue-world.ts";

interface Fold {
  readonly keys: Map<string, string>;
  /** The token of each running job. */
  readonly running: Map<string, number>;
  /** The job that holds each key. */
  readonly holders: Map<string, string>;
  readonly ended: Set<string>;
}

/** Of several records with one number, the first counts. */
export function pickRecords(texts: readonly string[]): readonly QueueRecord[] {
  const records: QueueRecord[] = [];
  for (const text of texts) {
    const record = parse(text);
    if (record?.seq === records.length + 1) records.push(record);
  }
  return records;
}

/** The same texts are looked at after every step. */
const parsed = new Map<string, QueueRecord | null>();
const PARSED_MAX = 10_000;

function parse(text: string): QueueRecord | null {
  const found = parsed.get(text);
  if (found !== undefined) return found;
  if (parsed.size > PARSED_MAX) parsed.clear();
  const record = parseAnew(text);
  parsed.set(text, record);
  return record;
}

function parseAnew(text: string): QueueRecord | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function checkRecords(records: readonly QueueRecord[]): Fold {
  const fold: Fold = { keys: new Map(), running: new Map(), holders: new Map(), ended: new Set() };
  for (const { seq, event } of records) take(fold, seq, event);
  return fold;
}

function take(fold: Fold, seq: number, event: QueueEvent): void {
  if (event.kind === "submitted") {
    if (fold.keys.has(event.job)) throw new Violation(`record ${seq}: job ${event.job} is submitted twice`);
    fold.keys.set(event.job, event.head.key);
  } else if (event.kind === "claimed") takeClaim(fold, seq, event.job);
  else if ("token" in event) takeHeld(fold, seq, event);
}

function takeClaim({ keys, running, holders, ended }: Fold, seq: number, job: string): void {
  const key = keys.get(job);
  if (key === undefined || ended.has(job)) throw new Violation(`record ${seq}: job ${job} is claimed and cannot be`);
  const holder = holders.get(key);
  if (holder !== undefined) throw new Violation(`record ${seq}: two writers of ${key}: ${holder} and ${job}`);
  holders.set(key, job);
  running.set(job, seq);
}

function takeHeld(
  { keys, running, holders, ended }: Fold,
  seq: number,
  event: Extract<QueueEvent, { token: number }>,
): void {
  const { kind, job, token } = event;
  if (running.get(job) !== token)
    throw new Violation(`record ${seq}: ${kind} with the old token ${token} of job ${job}`);
  if (kind !== "finished" && kind !== "released" && kind !== "lost") return;
  running.delete(job);
  holders.delete(keys.get(job) ?? "");
  if (kind === "finished") ended.add(job);
}

const name = ({ kind, job, token }: Promised): string => `${kind} ${job} ${token ?? ""}`;

/** Each answer stands in the log, and nothing that was refused. */
export function checkPromises(
  records: readonly QueueRecord[],
  promised: readonly Promised[],
  refused: readonly Promised[],
): void {
  const known = new Set(records.map(({ seq, event }) => nameRecord(seq, event)));
  for (const one of promised)
    if (!known.has(name(one))) throw new Violation(`lost: ${name(one)} was answered and is not in the log`);
  for (const one of refused)
    if (known.has(name(one))) throw new Violation(`${name(one)} was refused and is in the log`);
}

function nameRecord(seq: number, event: QueueEvent): string {
  const job = "job" in event ? event.job : "";
  if (event.kind === "claimed") return `claimed ${job} ${seq}`;
  return `${event.kind} ${job} ${"token" in event ? event.token : ""}`;
}
